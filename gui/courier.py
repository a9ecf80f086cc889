"""What a thread says to a widget that may be gone by then.

A signal must not be sent by an object that another thread may delete meanwhile: the program would crash. A courier
belongs to the working thread alone; its listener hears in its own thread, or not at all once it is deleted.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Courier(QObject):
    """Connect with Qt.ConnectionType.QueuedConnection to a slot of the one who asks, then hand it to the thread."""

    told = Signal(object)
    finished = Signal(object)
    failed = Signal(object)  # FronteiraError
