//! Who depends on whom, as cargo resolved it for this platform.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Node, PackageId};

/// The packages by name, with their dependencies.
pub(crate) struct Graph {
    members: BTreeSet<String>,
    /// What a package needs to be built and to run.
    needs: BTreeMap<String, BTreeSet<String>>,
    /// What only its tests need.
    tests_need: BTreeMap<String, BTreeSet<String>>,
    /// Of what ours need, what comes with a feature only, by who needs it.
    optional: BTreeSet<(String, String)>,
}

impl Graph {
    /// Asks cargo. Nothing is downloaded that this platform's build has not downloaded already.
    pub(crate) fn of_this_workspace() -> cargo_metadata::Result<Self> {
        let mut command = MetadataCommand::new();
        command.manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let platform = platform().map(|triple| format!("--filter-platform={triple}"));
        command.other_options(platform.into_iter().chain(["--locked".to_owned()]).collect::<Vec<_>>());
        command.exec().map(|metadata| Self::read(&metadata))
    }

    fn read(metadata: &Metadata) -> Self {
        let name =
            |id: &PackageId| metadata.packages.iter().find(|p| p.id == *id).map(|p| p.name.to_string());
        let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let mut graph = Self {
            members: metadata.workspace_members.iter().filter_map(name).collect(),
            needs: BTreeMap::new(),
            tests_need: BTreeMap::new(),
            optional: optional(metadata),
        };
        for node in nodes {
            let Some(package) = name(&node.id) else { continue };
            let of_kind = |wanted| dependencies(node, wanted).filter_map(name).collect::<BTreeSet<_>>();
            // Two versions of one library count as one: neither may be there.
            graph.needs.entry(package.clone()).or_default().extend(of_kind(false));
            graph.tests_need.entry(package).or_default().extend(of_kind(true));
        }
        graph
    }

    /// Whether the workspace has this crate yet.
    pub(crate) fn has(&self, package: &str) -> bool {
        self.members.contains(package)
    }

    /// The crates of the workspace.
    pub(crate) fn members(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(String::as_str)
    }

    /// The crates of the workspace that a package depends on directly.
    pub(crate) fn workspace_dependencies(&self, package: &str) -> Vec<String> {
        self.ours(self.needs.get(package))
    }

    /// The crates of the workspace that only a package's tests depend on.
    pub(crate) fn workspace_dev_dependencies(&self, package: &str) -> Vec<String> {
        self.ours(self.tests_need.get(package))
    }

    fn ours(&self, names: Option<&BTreeSet<String>>) -> Vec<String> {
        names.into_iter().flatten().filter(|name| self.members.contains(*name)).cloned().collect()
    }

    /// The shortest chain of dependencies from a package to a library. Tests aside, and what only a feature of ours brings:
    /// cargo tells of the whole workspace, where some test has it on.
    pub(crate) fn path(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let mut seen = BTreeSet::from([from.to_owned()]);
        let mut waiting = VecDeque::from([vec![from.to_owned()]]);
        while let Some(path) = waiting.pop_front() {
            let last = path.last()?;
            if last == to {
                return Some(path);
            }
            for next in self.needs.get(last).into_iter().flatten() {
                let by_feature = self.optional.contains(&(last.clone(), next.clone()));
                if !by_feature && seen.insert(next.clone()) {
                    waiting.push_back(path.iter().chain([next]).cloned().collect());
                }
            }
        }
        None
    }
}

fn optional(metadata: &Metadata) -> BTreeSet<(String, String)> {
    let ours = metadata.packages.iter().filter(|package| metadata.workspace_members.contains(&package.id));
    let pairs = ours.flat_map(|package| {
        let optional = package.dependencies.iter().filter(|dependency| dependency.optional);
        optional.map(|dependency| (package.name.to_string(), dependency.name.clone()))
    });
    pairs.collect()
}

fn dependencies(node: &Node, for_tests: bool) -> impl Iterator<Item = &PackageId> {
    let wanted = move |kind: DependencyKind| (kind == DependencyKind::Development) == for_tests;
    let deps = node.deps.iter().filter(move |dep| dep.dep_kinds.iter().any(|info| wanted(info.kind)));
    deps.map(|dep| &dep.pkg)
}

/// The triple to look at; `None` looks at all platforms, which may ask the network.
fn platform() -> Option<String> {
    let vendor = match std::env::consts::OS {
        "linux" => "unknown-linux-gnu",
        "macos" => "apple-darwin",
        _ => return None,
    };
    Some(format!("{}-{vendor}", std::env::consts::ARCH))
}
