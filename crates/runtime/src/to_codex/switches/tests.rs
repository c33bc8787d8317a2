//! Each switch in every version's word.

use super::*;

/// As 0.166 names them.
fn newest() -> Features {
    let stages = [("shell_tool", "stable"), ("view_image", "stable"), ("multi_agent", "stable")];
    let removed = [("apply_patch_freeform", "removed"), ("collaboration_modes", "removed")];
    let data: Vec<_> =
        stages.iter().chain(&removed).map(|(name, stage)| json!({"name": name, "stage": stage})).collect();
    Features::of_reply(&json!({ "data": data }).to_string())
}

fn said(config: &Value, features: &Features) -> (Value, Vec<String>) {
    let mut config = config.as_object().cloned().unwrap();
    let warnings = translate(&mut config, features, &Abilities::newest());
    (Value::Object(config), warnings.into_iter().map(|warning| warning.message).collect())
}

#[test]
fn a_switch_is_said_in_the_word_that_is_heard_whatever_word_it_came_in() {
    for given in [
        json!({"features.view_image": false}),
        json!({"features": {"view_image": false}}),
        json!({"tools": {"view_image": false}}),
        json!({"tools.view_image": false}),
        json!({"features.view_image_tool": false}),
    ] {
        assert_eq!(said(&given, &newest()), (json!({"features.view_image": false}), Vec::new()), "{given}");
    }
    for (given, heard) in [
        (json!({"web_search": "cached"}), json!({"web_search": "cached"})),
        (json!({"tools.web_search": false}), json!({"web_search": "disabled"})),
        (json!({"tools.web_search": true}), json!({"web_search": "live"})),
        (json!({"features.collab": false}), json!({"features.multi_agent": false})),
        (
            json!({"features.shell_tool": false, "model": "m"}),
            json!({"features.shell_tool": false, "model": "m"}),
        ),
        (
            json!({"tools": {"web_search": {"context_size": "low"}}, "features": {"memories": {"a": 1}}}),
            json!({"tools": {"web_search": {"context_size": "low"}}, "features": {"memories": {"a": 1}}}),
        ),
    ] {
        assert_eq!(said(&given, &newest()), (heard, Vec::new()), "{given}");
    }
}

#[test]
fn what_this_codex_has_no_word_for_is_left_out_and_told() {
    let (heard, told) = said(&json!({"features.apply_patch_freeform": false}), &newest());
    assert_eq!((heard, told.len()), (json!({}), 1));
    assert!(told[0].contains("patches") && told[0].contains("apply_patch_freeform"), "{told:?}");
    let (heard, told) =
        said(&json!({"features.of_tomorrow": true, "features.collaboration_modes": false}), &newest());
    assert_eq!(heard.as_object().unwrap().len(), 2, "what is not ours stays as it was given");
    assert_eq!(told.len(), 2, "{told:?}");
    // One that does not name its features: known ones are taken to be there, others are nobody's business.
    let silent = Features::default();
    assert_eq!(said(&json!({"features.view_image": false}), &silent).1.len(), 1, "0.98 has none");
    assert_eq!(said(&json!({"features.multi_agent": true}), &silent).0, json!({"features.collab": true}));
    assert_eq!(said(&json!({"features.of_tomorrow": true}), &silent).1, Vec::<String>::new());
}
