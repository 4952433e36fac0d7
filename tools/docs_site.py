"""Hooks for MkDocs: files outside `docs/` join the site, and links work there as they do in the repository."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

SITE_PATHS = {  # by path in the repository
    "README.md": "overview.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "web/public/favicon.svg": "images/favicon.svg",
}
REPOSITORY_PATHS = {on_site: path for path, on_site in SITE_PATHS.items()}
LINK_TARGET = re.compile(r"(?<=\]\()(?!#|[a-z]+:)[^)\s#]+")  # without the anchor; no web addresses


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path, on_site in SITE_PATHS.items():
        add_file(files, config, path, on_site)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Resolve every link in the repository, and rewrite it to lead to the same file on the site."""
    here = page.file.src_uri
    folder = dirname(REPOSITORY_PATHS.get(here, f"docs/{here}"))

    def on_site(target: re.Match[str]) -> str:
        path = normpath(join(folder, target[0]))
        return relpath(site_path(path, files, config), dirname(here) or ".")

    return LINK_TARGET.sub(on_site, markdown)


def site_path(path: str, files: Files, config: MkDocsConfig) -> str:
    """The path of a repository file on the site. A missing file gets a dead path, so that the strict build fails."""
    exists = (root(config) / path).is_file()
    if exists and path in SITE_PATHS:
        return SITE_PATHS[path]
    if exists and path.startswith("docs/"):
        return path.removeprefix("docs/")
    elsewhere = f"repository/{path}"
    if exists and not files.get_file_from_path(elsewhere):
        add_file(files, config, path, elsewhere)
    return elsewhere


def add_file(files: Files, config: MkDocsConfig, path: str, on_site: str) -> None:
    files.append(File.generated(config, on_site, abs_src_path=str(root(config) / path)))


def root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent
