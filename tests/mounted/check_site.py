#!/usr/bin/python3
"""Follows the links of a site that scidfs-get has made, and compares its files with those of a mount with pages=list.

usage: check_site.py SITE MOUNT

SITE is the folder, MOUNT the directory of the mount that it was made of. Expects that each page can be
reached from index.html, that no link of a page leads nowhere, and that pages differ from those of the mount by links
and forms alone, and those of folders by what has been read so far: every link to a file of the site is there. Prints
each fault, and at the end how many pages and files there are; exits with 1 if there was a fault.
"""

import html
import os
import re
import sys
import urllib.parse

LINK = re.compile(r"<a\b[^>]*>|</a>")
FOLDER = re.compile(r"<pre>folder: [^<]*</pre>")
FORM = re.compile(r"(<h2>[^<]*</h2>)?<form\b.*?</form>\n", re.DOTALL)
ADDRESS = re.compile(r'<[a-z]+\b[^>]*? (?:href|src)="([^"]*)"')
faults = []


def target_of(page, address):
    path = urllib.parse.unquote(address.partition("#")[0], errors="surrogateescape")
    return os.path.normpath(os.path.join(os.path.dirname(page), path))


def links_of(page, text):
    """The paths that a page of the site or of the mount links, in order."""
    for address in map(html.unescape, ADDRESS.findall(text)):
        if not address.startswith(("#", "http://", "https://")):
            yield target_of(page, address)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def main():
    site, mount = sys.argv[1:]
    files = {os.path.relpath(os.path.join(folder, name), site) for folder, _, names in os.walk(site) for name in names}
    pages = {path for path in files if path.endswith(".html")}
    for path in sorted(files - pages):
        if read(os.path.join(site, path)) != read(os.path.join(mount, path)):
            faults.append(f"{path}: not as in the mount")
    links = {}
    for path in sorted(pages):
        text, whole = read(os.path.join(site, path)), read(os.path.join(mount, path))
        links[path] = list(links_of(path, text))
        faults.extend(f"{path}: no {link}" for link in links[path] if link not in files)
        if "<form" in text:
            faults.append(f"{path}: has a form")
        whole = FORM.sub("", whole)
        if links[path] != [link for link in links_of(path, whole) if link in files]:
            faults.append(f"{path}: other links than in the mount")
        if LINK.sub("", FOLDER.sub("", text)) != LINK.sub("", FOLDER.sub("", whole)):
            faults.append(f"{path}: not as in the mount")
    reached, rest = set(), ["index.html"]
    while rest:
        path = rest.pop()
        if path not in reached and path in links:
            reached.add(path)
            rest.extend(links[path])
    faults.extend(f"{path}: no page leads there" for path in sorted(pages - reached))
    print("\n".join(faults[:50]))
    print(f"{len(pages)} pages, {len(files)} files, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
