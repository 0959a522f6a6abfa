#!/usr/bin/env python3
"""What the program is built from: an SBOM (CycloneDX 1.5) and the licences, out of `cargo metadata`.

    notices.py sbom|licences VERSION < metadata.json
"""
import hashlib
import json
import os
import re
import sys

NAMES = re.compile(r"^(licen[cs]e|copying|notice|unlicense|copyright)", re.IGNORECASE)


def built_from(metadata):
    """The packages that end up in the program: no build scripts, no macros, no tests."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    root = metadata["resolve"]["root"]
    found, waiting = {}, [root]
    while waiting:
        current = waiting.pop()
        if current in found:
            continue
        needs = sorted(
            dep["pkg"]
            for dep in nodes[current]["deps"]
            if any(kind["kind"] is None for kind in dep["dep_kinds"])
            and not is_macro(packages[dep["pkg"]])
        )
        found[current] = needs
        waiting.extend(needs)
    order = sorted(found, key=lambda id: (packages[id]["name"], packages[id]["version"]))
    return root, [packages[id] for id in order], found


def is_macro(package):
    return any("proc-macro" in target["kind"] for target in package["targets"])


def purl(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, kind="library"):
    told = {
        "type": kind,
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "purl": purl(package),
    }
    if package.get("license"):
        told["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if package.get("description"):
        told["description"] = " ".join(package["description"].split())
    if package.get("repository"):
        told["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return told


def sums(lock):
    """Name and version to the checksum of the package as it was fetched."""
    found = {}
    for block in lock.split("[[package]]")[1:]:
        fields = dict(re.findall(r'^(name|version|checksum) = "([^"]+)"', block, re.MULTILINE))
        if "checksum" in fields:
            found[fields["name"], fields["version"]] = fields["checksum"]
    return found


def sbom(metadata, version):
    root, packages, needs = built_from(metadata)
    by_id = {package["id"]: package for package in packages}
    checksums = sums(open("Cargo.lock").read())
    components = []
    for package in packages:
        if package["id"] == root:
            continue
        told = component(package)
        told["hashes"] = [{"alg": "SHA-256", "content": checksums[package["name"], package["version"]]}]
        components.append(told)
    own = component(by_id[root], "application")
    own["version"] = version
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own},
        "components": components,
        "dependencies": [
            {"ref": purl(by_id[id]), "dependsOn": sorted(purl(by_id[need]) for need in needs[id])}
            for id in sorted(needs, key=lambda id: purl(by_id[id]))
        ],
    }
    # The same every time it is built from the same sources.
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    document["serialNumber"] = "urn:uuid:" + "-".join(
        (digest[:8], digest[8:12], "4" + digest[13:16], "8" + digest[17:20], digest[20:32])
    )
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    print()


def licences(metadata, version):
    root, packages, _ = built_from(metadata)
    print(f"qili {version} is given away under MIT or Apache-2.0, and is built from what follows.\n")
    texts = {}
    for package in packages:
        if package["id"] == root:
            continue
        told = f"{package['name']} {package['version']}"
        print(f"{told:<40} {package['license'] or 'see its text below'}")
        folder = os.path.dirname(package["manifest_path"])
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if NAMES.match(name) and os.path.isfile(path):
                text = open(path, encoding="utf-8", errors="replace").read().strip()
                texts.setdefault(text, []).append(told)
    for text, users in sorted(texts.items(), key=lambda item: item[1]):
        print("\n" + "-" * 78 + "\n" + ", ".join(dict.fromkeys(users)) + "\n\n" + text)


if __name__ == "__main__":
    what, version = sys.argv[1:]
    {"sbom": sbom, "licences": licences}[what](json.load(sys.stdin), version)
