"""Who a client is: the address by which its requests are counted."""

from __future__ import annotations

import ipaddress

from starlette.types import Scope

_IPV6_OF_ONE = 64
"""Bits of an IPv6 address that one client does not change at will: who has a network has 2^64 addresses in it."""


def client_of(scope: Scope) -> str:
    """The address of a request's client, an IPv6 network for IPv6; what is no address at all is one client."""
    client: tuple[str, int] | None = scope.get("client")
    try:
        address = ipaddress.ip_address(client[0] if client else "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((int(address), _IPV6_OF_ONE), strict=False))
        address = address.ipv4_mapped
    return str(address)
