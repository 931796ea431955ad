"""What goes wrong in the store."""


class StoreError(Exception):
    """The ledger cannot be opened, read or written, or was asked for what it must not do. One plain sentence."""


class Conflict(Exception):
    """The database refused a row: its key is taken, or what it refers to is not there. Nothing was changed."""
