//! Lays out the few constructs whose shape depends on the length of a user's name, as rustfmt would.
//!
//! Scaffolding runs no formatter: templates are written the way rustfmt writes them. Where a kind's name may push a line over
//! the limit, the template calls one of these. The scaffold tests hold the result against the real rustfmt.

const MAX_WIDTH: usize = 100;
/// rustfmt's `fn_call_width`: arguments wider than this stand on lines of their own.
const MAX_ARGUMENTS: usize = 60;
/// rustfmt's `chain_width`: a chain that is wider than this has one call a line.
const MAX_CHAIN: usize = 60;

/// `left = right`, or `right` on the next line if that does not fit.
pub(crate) fn assign(indent: usize, left: &str, right: &str) -> String {
    let margin = " ".repeat(indent);
    let line = format!("{margin}{left} = {right}");
    if line.len() <= MAX_WIDTH || indent + 4 + right.len() > MAX_WIDTH {
        return line;
    }
    format!("{margin}{left} =\n{margin}    {right}")
}

/// `use path::{names};`, with the names on a line of their own if it does not fit on one. They must be few and short.
pub(crate) fn import(path: &str, names: &[String]) -> String {
    let names = names.join(", ");
    let line = format!("use {path}::{{{names}}};");
    // rustfmt leaves room for the `};` that would follow a broken list.
    if line.len() + 2 <= MAX_WIDTH {
        return line;
    }
    format!("use {path}::{{\n    {names},\n}};")
}

/// A function's signature at the margin, with one parameter a line if it does not fit on one.
pub(crate) fn signature(head: &str, parameters: &[String], tail: &str) -> String {
    let line = format!("{head}({}){tail}", parameters.join(", "));
    if line.len() <= MAX_WIDTH {
        return line;
    }
    format!("{head}(\n    {},\n){tail}", parameters.join(",\n    "))
}

/// `function(arguments);`, with the arguments on a line of their own if it does not fit on one. They must be short:
/// rustfmt gives each of them a line if one is longer than ten characters. The result carries no indentation of its own.
pub fn call(indent: usize, function: &str, arguments: &[&str]) -> String {
    debug_assert!(arguments.iter().all(|argument| argument.len() <= 10));
    let arguments = arguments.join(", ");
    let line = format!("{function}({arguments});");
    if indent + line.len() <= MAX_WIDTH {
        return line;
    }
    format!("{function}(\n    {arguments},\n);")
}

/// `if let pattern = value {`, broken before the value if that does not fit.
pub(crate) fn if_let(indent: usize, pattern: &str, value: &str) -> String {
    let margin = " ".repeat(indent);
    let line = format!("{margin}if let {pattern} = {value} {{");
    if line.len() <= MAX_WIDTH {
        return line;
    }
    format!("{margin}if let {pattern} =\n{margin}    {value}\n{margin}{{")
}

/// A statement that is a chain of fields and calls. The first word of each is its name, with `(` if it is a call; the others are
/// its arguments. One line if it is short, else one line each; a single call stays with its head as long as it fits.
pub(crate) fn chain(indent: usize, left: &str, head: &str, calls: &[Vec<String>]) -> String {
    let margin = " ".repeat(indent);
    let inline: String = calls
        .iter()
        .filter_map(|call| {
            let (name, arguments) = call.split_first()?;
            let end = if name.ends_with('(') { ")" } else { "" };
            Some(format!(".{name}{}{end}", arguments.join(", ")))
        })
        .collect();
    let line = format!("{margin}{left}{head}{inline};");
    let is_single = calls.len() == 1;
    // The semicolon counts.
    let is_short = is_single || head.len() + inline.len() < MAX_CHAIN;
    if is_short && line.len() <= MAX_WIDTH {
        return line;
    }
    let below = format!("{margin}    {head}{inline};");
    if is_single && !left.is_empty() && below.len() <= MAX_WIDTH {
        return format!("{margin}{}\n{below}", left.trim_end());
    }
    let mut lines = format!("{margin}{left}{head}");
    for call in calls {
        if let Some((name, arguments)) = call.split_first() {
            lines.push('\n');
            match name.strip_suffix('(') {
                Some(name) => lines.push_str(&method(indent + 4, name, arguments)),
                None => lines.extend([margin.as_str(), "    .", name]),
            }
        }
    }
    lines + ";"
}

/// A method call in a chain: `.name(arguments)`, with one argument a line if they are too wide.
pub(crate) fn method(indent: usize, name: &str, arguments: &[String]) -> String {
    let margin = " ".repeat(indent);
    let inline = arguments.join(", ");
    let line = format!("{margin}.{name}({inline})");
    if line.len() <= MAX_WIDTH && inline.len() <= MAX_ARGUMENTS {
        return line;
    }
    let inner = format!(",\n{margin}    ");
    format!(
        "{margin}.{name}(\n{margin}    {},\n{margin})",
        arguments.join(&inner)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_on_one_line() {
        assert_eq!(assign(4, "let a", "b();"), "    let a = b();");
        assert_eq!(call(4, "a::b", &["c", "d"]), "a::b(c, d);");
        assert_eq!(signature("fn a", &["b: C".into()], " {"), "fn a(b: C) {");
    }

    #[test]
    fn what_does_not_fit_is_broken_as_rustfmt_breaks_it() {
        let long = "x".repeat(90);
        assert_eq!(
            assign(4, "let api", &format!("{long};")),
            format!("    let api =\n        {long};")
        );
        assert_eq!(
            call(4, &long, &["c", "d"]),
            format!("{long}(\n    c, d,\n);")
        );
        assert_eq!(
            method(4, "owns", &["a".repeat(40), "b".repeat(30)]),
            format!(
                "    .owns(\n        {},\n        {},\n    )",
                "a".repeat(40),
                "b".repeat(30)
            )
        );
        assert_eq!(
            signature("fn a", &[format!("b: {long}"), "c: D".into()], " {"),
            format!("fn a(\n    b: {long},\n    c: D,\n) {{")
        );
    }

    #[test]
    fn a_chain_is_one_line_if_it_is_short() {
        let call = |argument: &str| vec!["owns(".to_owned(), argument.to_owned()];
        assert_eq!(chain(4, "let a = ", "b()", &[]), "    let a = b();");
        assert_eq!(
            chain(
                4,
                "",
                "a",
                &[vec!["b".into()], call("&c"), vec!["await?".into()]]
            ),
            "    a.b.owns(&c).await?;"
        );
        let long = "x".repeat(55);
        assert_eq!(
            chain(4, "", "a", &[vec!["b".into()], call(&long)]),
            format!("    a\n        .b\n        .owns({long});")
        );
    }

    #[test]
    fn a_single_call_stays_with_its_head_as_long_as_it_fits() {
        let broken = |length: usize| {
            let call = vec!["b(".to_owned(), "x".repeat(length)];
            let lines = chain(4, "let a = ", "a()", &[call]);
            lines.replace(&"x".repeat(length), "x")
        };
        assert_eq!(broken(80), "    let a = a().b(x);");
        assert_eq!(broken(84), "    let a =\n        a().b(x);");
    }

    #[test]
    fn names_that_do_not_fit_behind_their_path_go_below_it() {
        let names = ["A".to_owned(), "b".to_owned()];
        assert_eq!(import("c::d", &names), "use c::d::{A, b};");
        // As rustfmt does it: 98 characters stay on one line, 99 do not.
        let fits = "x".repeat(85);
        assert_eq!(import(&fits, &names), format!("use {fits}::{{A, b}};"));
        let long = "x".repeat(86);
        assert_eq!(
            import(&long, &names),
            format!("use {long}::{{\n    A, b,\n}};")
        );
    }

    #[test]
    fn a_condition_that_does_not_fit_is_broken() {
        assert_eq!(if_let(4, "Some(a)", "b()"), "    if let Some(a) = b() {");
        let long = "x".repeat(90);
        assert_eq!(
            if_let(4, "Some(a)", &long),
            format!("    if let Some(a) =\n        {long}\n    {{")
        );
    }

    #[test]
    fn what_fits_nowhere_is_left_alone() {
        let long = "x".repeat(100);
        assert_eq!(assign(0, "a", &long), format!("a = {long}"));
    }
}
