//! Compares plurals with those of gobuffalo/flect, Kubebuilder's library.
//!
//! The data was generated with flect. Add words whose plural is wrong.

use kb_model::inflect::plural_of;
use kb_model::{Kind, Plural};
use proptest::prelude::*;

#[test]
fn plurals_match_kubebuilder() {
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
fn corrects_invalid_plurals_of_flect() {
    for (word, plural) in [("dns", "dnses"), ("https", "httpses"), ("ips", "ipses")] {
        assert_eq!(plural_of(word), plural);
    }
}

proptest! {
    #[test]
    fn every_kind_has_a_valid_plural(name in "[A-Z][A-Za-z0-9]{0,40}([a-z]{3}|us|eau|ez|child|person|trix)") {
        if let Ok(kind) = name.parse::<Kind>() {
            let plural = kind.plural();
            prop_assert!(plural.as_str().parse::<Plural>().is_ok());
        }
    }

    #[test]
    fn the_longest_kind_has_a_valid_plural(ending in "[a-z]{4}") {
        let kind: Kind = format!("{}{ending}", "A".repeat(55)).parse().unwrap();
        prop_assert!(kind.plural().as_str().len() <= 63);
    }
}
