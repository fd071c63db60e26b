//! Example strings for formats, from ranges reserved for documentation.

/// Returns the numbered example of a format, or `None` if there are no more or the format allows any name.
pub(super) fn example(format: &str, number: usize) -> Option<String> {
    let only = |text: &str| (number == 0).then(|| text.to_owned());
    if number >= 256 {
        return None;
    }
    let next = number + 1;
    Some(match format {
        "bsonobjectid" => format!("507f1f77bcf86cd7994390{number:02x}"),
        "byte" if number == 0 => "c2FtcGxl".to_owned(),
        // Four letters and digits are always valid base64.
        "byte" => format!("c2FtcGxl{number:04}"),
        "cidr" => format!("10.{number}.0.0/16"),
        "creditcard" => only("4111111111111111")?,
        "date" => format!("{}-01-01", 2025 + number),
        "date-time" | "datetime" => format!("{}-01-01T00:00:00Z", 2025 + number),
        "duration" => format!("{next}h"),
        "email" if number == 0 => "user@example.com".to_owned(),
        "email" => format!("user-{next}@example.com"),
        "hexcolor" => format!("#3366{number:02x}"),
        "hostname" if number == 0 => "www.example.com".to_owned(),
        "hostname" => format!("www-{next}.example.com"),
        "ipv4" => format!("192.0.2.{}", next % 256),
        "ipv6" => format!("2001:db8::{next:x}"),
        "isbn" | "isbn13" => only("9780306406157")?,
        "isbn10" => only("0306406152")?,
        "mac" => format!("00:00:5e:00:53:{number:02x}"),
        "rgbcolor" => format!("rgb(51, 102, {number})"),
        "ssn" => format!("000-00-{next:04}"),
        "uri" if number == 0 => "https://example.com".to_owned(),
        "uri" => format!("https://example.com/{next}"),
        "uuid" | "uuid4" => format!("00000000-0000-4000-8000-{next:012x}"),
        "uuid3" => format!("00000000-0000-3000-8000-{next:012x}"),
        "uuid5" => format!("00000000-0000-5000-8000-{next:012x}"),
        _ => return None,
    })
}
