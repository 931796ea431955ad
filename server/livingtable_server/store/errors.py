"""What goes wrong in the store."""


class StoreError(Exception):
    """The ledger cannot be opened, read or written, or was asked for what it must not do. One plain sentence."""


class NotReadyError(StoreError):
    """The store would not keep anything now. `reason` is for anybody: it names no address and no path; the text itself
    is for the operator."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Conflict(Exception):
    """The database refused a row: its key is taken, or what it refers to is not there. Nothing was changed."""
