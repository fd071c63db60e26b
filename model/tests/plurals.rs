//! Plurals against what gobuffalo/flect, Kubebuilder's library, answers for the same words.
//!
//! The data was made by running flect; a word whose plural a user misses belongs there.

use kb_model::inflect::plural_of;
use kb_model::{Kind, Plural};
use proptest::prelude::*;

#[test]
fn plurals_are_those_of_kubebuilder() {
    let wrong: Vec<String> = include_str!("data/plurals.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let (word, expected) = line.split_once('\t').expect("a word, a tab, its plural");
            let plural = plural_of(word);
            (plural != expected).then(|| format!("{word}: {plural}, not {expected}"))
        })
        .collect();
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn where_the_answer_of_flect_is_no_name_it_is_mended() {
    for (word, plural) in [("dns", "dnses"), ("https", "httpses"), ("ips", "ipses")] {
        assert_eq!(plural_of(word), plural);
    }
}

proptest! {
    #[test]
    fn every_kind_has_a_legal_plural(name in "[A-Z][A-Za-z0-9]{0,40}([a-z]{3}|us|eau|ez|child|person|trix)") {
        if let Ok(kind) = name.parse::<Kind>() {
            let plural = kind.plural();
            prop_assert!(plural.as_str().parse::<Plural>().is_ok());
        }
    }

    #[test]
    fn the_longest_kind_has_a_legal_plural(ending in "[a-z]{4}") {
        let kind: Kind = format!("{}{ending}", "A".repeat(55)).parse().unwrap();
        prop_assert!(kind.plural().as_str().len() <= 63);
    }
}
