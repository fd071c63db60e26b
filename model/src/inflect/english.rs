//! Irregular English plurals.
//!
//! A [`Family`] replaces an ending for a set of stems: `ind` and `vert` change `ex` to `ices`. An empty stem is a rule for all words with the
//! ending. Families follow the results of flect 1.0.3, not a dictionary; `tests/data/plurals.tsv` contains these results.

/// Stems that change one ending into another.
pub(super) struct Family {
    pub(super) singular: &'static str,
    pub(super) plural: &'static str,
    pub(super) stems: &'static [&'static str],
}

const fn family(
    singular: &'static str,
    plural: &'static str,
    stems: &'static [&'static str],
) -> Family {
    Family {
        singular,
        plural,
        stems,
    }
}

/// Whole words whose plural no family covers.
pub(super) const PLURALS: &[&str] = &["adieus", "dice", "formulae", "lice", "octopi", "oxen"];

/// Acronyms with plural `s`, contrary to the rule of their ending; whole words only.
pub(super) const PLAIN: &[&str] = &["eia", "ssh", "tia"];

/// Acronyms that end in `s`. Flect's result (`dnsDNSes`) is not a valid resource name, so this is corrected.
pub(super) const ACRONYMS_IN_S: &[&str] = &[
    "aes", "bss", "cmos", "des", "dns", "ess", "fcs", "https", "ids", "ips", "mpls", "pots",
];

/// Words that are irregular only on their own: `box` is not like `ox`.
pub(super) const WHOLE: &[(&str, &str)] = &[
    ("alias", "aliases"),
    ("axis", "axes"),
    ("die", "dice"),
    ("louse", "lice"),
    ("ox", "oxen"),
    ("toe", "toes"),
    ("use", "uses"),
];

/// Irregular words, also as the last part of a compound.
pub(super) const WORDS: &[Family] = &[
    // Same form for both, and uncountable words.
    family(
        "",
        "",
        &[
            "aircraft",
            "beef",
            "bison",
            "blues",
            "chassis",
            "deer",
            "equipment",
            "fish",
            "graffiti",
            "information",
            "jeans",
            "media",
            "money",
            "moose",
            "news",
            "police",
            "rice",
            "salmon",
            "series",
            "sheep",
            "shrimp",
            "species",
            "swine",
            "trout",
            "tuna",
            "you",
        ],
    ),
    // Old English.
    family("", "ren", &["child"]),
    family("an", "en", &["m", "wom"]),
    family("foot", "feet", &[""]),
    family("goose", "geese", &[""]),
    family("mouse", "mice", &[""]),
    family("tooth", "teeth", &[""]),
    family("person", "people", &[""]),
    family("thief", "thieves", &[""]),
    // Greek, Latin and French.
    family(
        "on",
        "a",
        &[
            "criteri",
            "gangli",
            "lexic",
            "mitochondri",
            "noumen",
            "phenomen",
            "tax",
        ],
    ),
    family("um", "a", &["aquari", "auditori", "medi", "symposi"]),
    family(
        "us",
        "i",
        &[
            "alumn", "bacill", "cact", "cocc", "foc", "loc", "nucle", "radi", "syllab",
        ],
    ),
    family("corpus", "corpora", &[""]),
    family("genus", "genera", &[""]),
    family(
        "",
        "e",
        &[
            "alumna",
            "differentia",
            "larva",
            "minutia",
            "postcava",
            "praecava",
            "uva",
            "vertebra",
            "vita",
        ],
    ),
    family("ex", "ices", &["ap", "cod", "ind", "lat", "vert", "vort"]),
    family("ix", "ices", &["append", "hel", "rad"]),
    family(
        "is",
        "es",
        &["bas", "cris", "ellips", "genes", "oas", "test", "thes"],
    ),
    family("", "x", &["adieu", "fabliau"]),
    // Regular, contrary to the rule of their ending.
    family(
        "",
        "s",
        &[
            "abuse",
            "ache",
            "agenda",
            "base",
            "bureau",
            "cause",
            "chive",
            "clause",
            "cookie",
            "cruse",
            "curriculum",
            "dwarf",
            "excuse",
            "formula",
            "fuse",
            "hive",
            "hoof",
            "house",
            "human",
            "misuse",
            "move",
            "movie",
            "muse",
            "pause",
            "pretorium",
            "quota",
            "shoe",
            "stadium",
            "vedalia",
        ],
    ),
    family("", "es", &["buffalo", "potato", "tomato", "topaz"]),
    // Flect's own spelling.
    family("octopus", "octupuses", &[""]),
];

/// Rules for all other words with an ending.
pub(super) const ENDINGS: &[Family] = &[
    family("f", "ves", &["ar", "ea", "l", "oa", "r"]),
    family("fe", "ves", &[""]),
    family("y", "ies", &["", "qu"]),
    family(
        "",
        "s",
        &["ay", "ey", "oy", "uy", "tive", "seum", "ouse", "lause"],
    ),
    family("", "x", &["eau"]),
    family("", "e", &["bula"]),
    // Flect's own spelling: one ending for all of these.
    family("dula", "bulae", &[""]),
    family("lula", "bulae", &[""]),
    family("nula", "bulae", &[""]),
    family("vula", "bulae", &[""]),
    family("on", "a", &["hedr"]),
    family(
        "um",
        "a",
        &[
            "ant", "at", "br", "cr", "ct", "d", "e", "el", "ent", "ern", "et", "gn", "i", "il",
            "im", "it", "ll", "o", "ol", "ot", "ov", "ser", "strac", "ter", "tr", "ul", "ut", "yl",
        ],
    ),
    family("ix", "ices", &["tr"]),
    family(
        "is",
        "es",
        &["gnos", "ias", "kines", "mes", "ops", "res", "ys"],
    ),
    family("", "es", &["ch", "o", "sh", "ss", "tz", "us", "x", "zz"]),
    family("", "s", &["ano", "io", "lo", "oo", "to"]),
    family("", "zes", &["ez", "iz"]),
];
