//! Formats code as rustfmt does where the line breaks depend on the length of user-chosen names.
//!
//! Scaffolding does not run rustfmt: templates are already formatted. They call these functions where the name of a kind may
//! exceed the line width. The scaffold tests compare the result with rustfmt.

const MAX_WIDTH: usize = 100;
/// rustfmt's `fn_call_width`: wider arguments go on separate lines.
const MAX_ARGUMENTS: usize = 60;
/// rustfmt's `chain_width`: wider chains have one call per line.
const MAX_CHAIN: usize = 60;
/// rustfmt's `attr_fn_like_width`: wider arguments of an attribute go on separate lines.
const MAX_ATTRIBUTE: usize = 70;

/// Formats `left = right`, with `right` on the next line if it does not fit. If it does not fit there either, only the argument
/// of a macro moves to the next line.
pub(crate) fn assign(indent: usize, left: &str, right: &str) -> String {
    let margin = " ".repeat(indent);
    let line = format!("{margin}{left} = {right}");
    if line.len() <= MAX_WIDTH {
        return line;
    }
    if indent + 4 + right.len() <= MAX_WIDTH {
        return format!("{margin}{left} =\n{margin}    {right}");
    }
    let call = right.strip_suffix(");");
    match call.and_then(|call| call.split_once("!(")) {
        Some((name, argument)) if indent + 4 + argument.len() <= MAX_WIDTH => {
            format!("{margin}{left} = {name}!(\n{margin}    {argument}\n{margin});")
        }
        _ => line,
    }
}

/// Formats `use path::{names};`, with the names on a separate line if it does not fit. They must be few and short.
pub(crate) fn import(path: &str, names: &[String]) -> String {
    let names = names.join(", ");
    let line = format!("use {path}::{{{names}}};");
    // rustfmt reserves two columns for the `};` of a broken list.
    if line.len() + 2 <= MAX_WIDTH {
        return line;
    }
    format!("use {path}::{{\n    {names},\n}};")
}

/// Formats the signature of a top-level function, with one parameter per line if it does not fit.
pub(crate) fn signature(head: &str, parameters: &[String], tail: &str) -> String {
    let line = format!("{head}({}){tail}", parameters.join(", "));
    if line.len() <= MAX_WIDTH {
        return line;
    }
    format!("{head}(\n    {},\n){tail}", parameters.join(",\n    "))
}

/// Formats `function(arguments);`, with the arguments on a separate line if it does not fit. No argument may be longer than
/// ten characters, because rustfmt then puts each on its own line. The first line is not indented.
pub fn call(indent: usize, function: &str, arguments: &[&str]) -> String {
    debug_assert!(arguments.iter().all(|argument| argument.len() <= 10));
    let arguments = arguments.join(", ");
    let line = format!("{function}({arguments});");
    if indent + line.len() <= MAX_WIDTH {
        return line;
    }
    format!("{function}(\n    {arguments},\n);")
}

/// Formats `if let pattern = value {`, with a line break before the value if it does not fit.
pub(crate) fn if_let(indent: usize, pattern: &str, value: &str) -> String {
    let margin = " ".repeat(indent);
    let line = format!("{margin}if let {pattern} = {value} {{");
    if line.len() <= MAX_WIDTH {
        return line;
    }
    format!("{margin}if let {pattern} =\n{margin}    {value}\n{margin}{{")
}

/// Formats a statement that is a chain of fields and calls. Each item of `calls` is a name, with a trailing `(` if it is a
/// call, followed by its arguments. Short chains go on one line, others have one call per line. A single call stays on the
/// line of its head if it fits.
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
    // Strictly less, because the semicolon counts.
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

/// Formats a method call in a chain, `.name(arguments)`, with one argument per line if they are too wide.
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

/// Formats `#[name(arguments)]`, with one argument per line if they are too wide.
pub(crate) fn attribute(indent: usize, name: &str, arguments: &[String]) -> String {
    let margin = " ".repeat(indent);
    let inline = arguments.join(", ");
    if inline.len() <= MAX_ATTRIBUTE {
        return format!("{margin}#[{name}({inline})]");
    }
    let inner = format!(",\n{margin}    ");
    format!(
        "{margin}#[{name}(\n{margin}    {}\n{margin})]",
        arguments.join(&inner)
    )
}

/// Formats a field whose value is a list of owned strings, `name: Some(vec!["a".to_owned()]),`, with one string per line if they
/// are too wide.
pub(crate) fn strings(indent: usize, name: &str, literals: &[String]) -> String {
    let margin = " ".repeat(indent);
    let items: Vec<String> = literals
        .iter()
        .map(|literal| format!("{literal}.to_owned()"))
        .collect();
    let inline = format!("vec![{}]", items.join(", "));
    if inline.len() <= MAX_ARGUMENTS {
        return format!("{margin}{name}: Some({inline}),");
    }
    let lines: Vec<String> = literals
        .iter()
        .zip(items)
        .map(|(literal, item)| {
            let line = format!("{margin}    {item},\n");
            // The line break does not count.
            if line.len() - 1 <= MAX_WIDTH {
                return line;
            }
            format!("{margin}    {literal}\n{margin}        .to_owned(),\n")
        })
        .collect();
    format!("{margin}{name}: Some(vec![\n{}{margin}]),", lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_code_stays_on_one_line() {
        assert_eq!(assign(4, "let a", "b();"), "    let a = b();");
        assert_eq!(call(4, "a::b", &["c", "d"]), "a::b(c, d);");
        assert_eq!(signature("fn a", &["b: C".into()], " {"), "fn a(b: C) {");
    }

    #[test]
    fn long_code_breaks_as_in_rustfmt() {
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
    fn short_chain_stays_on_one_line() {
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
    fn single_call_stays_on_the_line_of_its_head() {
        let broken = |length: usize| {
            let call = vec!["b(".to_owned(), "x".repeat(length)];
            let lines = chain(4, "let a = ", "a()", &[call]);
            lines.replace(&"x".repeat(length), "x")
        };
        assert_eq!(broken(80), "    let a = a().b(x);");
        assert_eq!(broken(84), "    let a =\n        a().b(x);");
    }

    #[test]
    fn long_import_breaks_before_its_names() {
        let names = ["A".to_owned(), "b".to_owned()];
        assert_eq!(import("c::d", &names), "use c::d::{A, b};");
        // rustfmt keeps 98 characters on one line and breaks 99.
        let fits = "x".repeat(85);
        assert_eq!(import(&fits, &names), format!("use {fits}::{{A, b}};"));
        let long = "x".repeat(86);
        assert_eq!(
            import(&long, &names),
            format!("use {long}::{{\n    A, b,\n}};")
        );
    }

    #[test]
    fn long_if_let_breaks_before_its_value() {
        assert_eq!(if_let(4, "Some(a)", "b()"), "    if let Some(a) = b() {");
        let long = "x".repeat(90);
        assert_eq!(
            if_let(4, "Some(a)", &long),
            format!("    if let Some(a) =\n        {long}\n    {{")
        );
    }

    #[test]
    fn wide_attribute_has_one_argument_per_line() {
        let format = |length: usize| {
            let long = "x".repeat(length);
            attribute(4, "kb", &[long.clone(), "b".into()]).replace(&long, "x")
        };
        assert_eq!(format(67), "    #[kb(x, b)]");
        assert_eq!(format(68), "    #[kb(\n        x,\n        b\n    )]");
    }

    #[test]
    fn wide_list_has_one_string_per_line() {
        let format = |length: usize| {
            let long = "x".repeat(length);
            strings(8, "a", &["b".into(), long.clone()]).replace(&long, "x")
        };
        let short = "        a: Some(vec![b.to_owned(), x.to_owned()]),";
        assert_eq!(format(29), short);
        let broken = |end: &str| {
            format!(
                "        a: Some(vec![\n            b.to_owned(),\n            x{end},\n        ]),"
            )
        };
        assert_eq!(format(30), broken(".to_owned()"));
        assert_eq!(format(76), broken(".to_owned()"));
        assert_eq!(format(77), broken("\n                .to_owned()"));
    }

    #[test]
    fn unbreakable_assignment_stays_on_one_line() {
        let long = "x".repeat(100);
        assert_eq!(assign(0, "a", &long), format!("a = {long}"));
        let call = format!("b!({});", "x".repeat(97));
        assert_eq!(assign(0, "a", &call), format!("a = {call}"));
    }

    #[test]
    fn long_macro_call_breaks_before_its_argument() {
        let argument = "x".repeat(93);
        assert_eq!(
            assign(0, "a", &format!("b!({argument});")),
            format!("a = b!(\n    {argument}\n);")
        );
    }
}
