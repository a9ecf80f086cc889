"""Folders where SQLite's locks cannot be trusted: network file systems and cloud-synchronised folders.

A synchronising program copies the file and its WAL at different moments; a network file system may grant one lock
twice. Either loses pages without a word, so a crawl is not run there.
"""

from __future__ import annotations

from pathlib import Path

from core.errors import SharedFolder
from core.store.header import true_name

NETWORK = frozenset(
    (
        "nfs nfs4 cifs smb3 smbfs afs ncpfs 9p vboxsf vmhgfs prl_fs ceph glusterfs lustre gpfs beegfs fuse.sshfs "
        "fuse.rclone fuse.vmhgfs-fuse fuse.grpcfuse fuse.s3fs fuse.gcsfuse fuse.goofys davfs fuse.davfs2"
    ).split()
)
SYNCHRONISED = (
    *("Dropbox", "OneDrive", "Google Drive", "GoogleDrive", "My Drive", "iCloud Drive", "Mobile Documents"),
    *("CloudStorage", "Nextcloud", "ownCloud", "MEGAsync", "pCloudDrive", "Proton Drive", "Box Sync", "SynologyDrive"),
)
BEGINNINGS = ("OneDrive - ", "Dropbox (")  # of a firm's or a person's own folder
MARKERS = {  # what such programs keep in the folders they synchronise
    ".stfolder": "Syncthing",
    ".dropbox.cache": "Dropbox",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "ownCloud",
}
MOUNTS = Path("/proc/mounts")


def refuse_shared_folder(path: Path) -> None:
    """Raises SharedFolder with the reason where a crawl must not run."""
    place = true_name(path)
    for part in place.parts:
        if part in SYNCHRONISED or part.startswith(BEGINNINGS):
            raise SharedFolder(f"{path} lies in a folder that {part} synchronises.", ADVICE)
    for folder in place.parents:
        for marker, program in MARKERS.items():
            if (folder / marker).exists():
                raise SharedFolder(f"{path} lies in {folder}, which {program} synchronises.", ADVICE)
    if place.drive.startswith("\\\\"):  # \\server\share
        raise SharedFolder(f"{path} lies on another machine ({place.drive}).", ADVICE)
    kind = file_system(place)
    if kind in NETWORK:
        raise SharedFolder(f"{path} lies on a network file system ({kind}).", ADVICE)


ADVICE = "Move the crawl file to a local folder, crawl there, and copy it back with `fronteira backup`."


def file_system(place: Path) -> str:
    """The type of the file system a path lies on; empty where the system does not say."""
    try:
        lines = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    best, kind = -1, ""
    for line in lines:
        fields = line.split(" ")
        mount = fields[1].replace("\\040", " ") if len(fields) > 2 else ""
        inside = place == Path(mount) or place.is_relative_to(mount) if mount else False
        if inside and len(mount) >= best:
            best, kind = len(mount), fields[2]
    return kind
