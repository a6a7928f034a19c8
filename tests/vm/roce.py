# SPDX-License-Identifier: GPL-2.0
"""RoCE v2 packets by hand: build, parse, ICRC, and read captures.

Written from the packet layouts alone, to be independent of the driver, of
scapy and of tshark.
"""
import socket
import struct
import zlib
from collections import namedtuple

PORT = 4791
RC, UC, UD = 0x00, 0x20, 0x60

SEND_FIRST, SEND_MIDDLE, SEND_LAST, SEND_LAST_IMM = 0, 1, 2, 3
SEND_ONLY, SEND_ONLY_IMM, WRITE_FIRST, WRITE_MIDDLE = 4, 5, 6, 7
WRITE_LAST, WRITE_LAST_IMM, WRITE_ONLY, WRITE_ONLY_IMM = 8, 9, 10, 11
READ_REQ, RESP_FIRST, RESP_MIDDLE, RESP_LAST = 12, 13, 14, 15
RESP_ONLY, ACK, ATOMIC_ACK, CMP_SWAP = 16, 17, 18, 19
FETCH_ADD, SEND_LAST_INV, SEND_ONLY_INV = 20, 22, 23
FLUSH, ATOMIC_WRITE = 28, 29
CNP = 0x81

RETH, AETH, ATOMIC, ATOMICACK, DETH, IMM, IETH, FETH = (
    "reth", "aeth", "atomic", "atomicack", "deth", "imm", "ieth", "feth")
SIZE = {RETH: 16, AETH: 4, ATOMIC: 28, ATOMICACK: 8, DETH: 8, IMM: 4, IETH: 4,
        FETH: 4}

# operation -> extension headers, in order
HEADERS = {
    SEND_FIRST: (), SEND_MIDDLE: (), SEND_LAST: (), SEND_LAST_IMM: (IMM,),
    SEND_ONLY: (), SEND_ONLY_IMM: (IMM,), WRITE_FIRST: (RETH,),
    WRITE_MIDDLE: (), WRITE_LAST: (), WRITE_LAST_IMM: (IMM,),
    WRITE_ONLY: (RETH,), WRITE_ONLY_IMM: (RETH, IMM), READ_REQ: (RETH,),
    RESP_FIRST: (AETH,), RESP_MIDDLE: (), RESP_LAST: (AETH,),
    RESP_ONLY: (AETH,), ACK: (AETH,), ATOMIC_ACK: (AETH, ATOMICACK),
    CMP_SWAP: (ATOMIC,), FETCH_ADD: (ATOMIC,), SEND_LAST_INV: (IETH,),
    SEND_ONLY_INV: (IETH,), FLUSH: (FETH, RETH), ATOMIC_WRITE: (RETH,),
}
UD_OPS = (SEND_ONLY, SEND_ONLY_IMM)
UC_OPS = tuple(range(SEND_FIRST, WRITE_ONLY_IMM + 1))


def headers_of(opcode):
    """Extension headers of an opcode, or None if there is no such opcode."""
    service, op = opcode & 0xe0, opcode & 0x1f
    if opcode == CNP:
        return ()
    if service == RC:
        return HEADERS.get(op)
    if service == UC and op in UC_OPS:
        return HEADERS[op]
    if service == UD and op in UD_OPS:
        return (DETH,) + HEADERS[op]
    return None


def icrc(ip):
    """ICRC of an IP packet (without its last four bytes), as on the wire."""
    p = bytearray(ip)
    if p[0] >> 4 == 4:
        p[1] = p[8] = p[10] = p[11] = 0xff
        udp = (p[0] & 15) * 4
    else:
        p[0] |= 0x0f
        p[1] = p[2] = p[3] = p[7] = 0xff
        udp = 40
    p[udp + 6] = p[udp + 7] = 0xff
    p[udp + 8 + 4] = 0xff
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(p)))


# ---- Build --------------------------------------------------------------------

def bth(opcode, qpn, psn, ack=False, pad=0, pkey=0xffff, tver=0, mig=True,
        se=False):
    return struct.pack(">BBHII", opcode, se << 7 | mig << 6 | pad << 4 | tver,
                       pkey, qpn, ack << 31 | psn)


def reth(va, rkey, length):
    return struct.pack(">QII", va, rkey, length)


def atomic(va, rkey, swap_add, compare=0):
    return struct.pack(">QIQQ", va, rkey, swap_add, compare)


def aeth(syndrome, msn):
    return struct.pack(">I", syndrome << 24 | msn)


def deth(qkey, sqpn):
    return struct.pack(">II", qkey, sqpn)


def padded(payload):
    return payload + bytes(-len(payload) % 4)


def ip_packet(src, dst, body, sport=0xc123, dport=PORT, ip_id=0x77,
              with_icrc=True):
    """An IPv4 packet; body is all between the UDP header and the ICRC."""
    length = 28 + len(body) + (4 if with_icrc else 0)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length, ip_id, 0x4000, 64, 17, 0,
                     socket.inet_aton(src), socket.inet_aton(dst))
    udp = struct.pack(">HHHH", sport, dport, length - 20, 0)
    packet = ip + udp + body
    if with_icrc and len(body) >= 5:
        packet += icrc(packet)
    elif with_icrc:
        packet += b"\0\0\0\0"
    return packet


# ---- Parse --------------------------------------------------------------------

Packet = namedtuple("Packet", """ip version src dst sport opcode pad tver mig
    pkey qpn ack psn ext payload icrc_ok df udp_csum""")


def parse(ip):
    """A Packet, or None if this is not RoCE v2; raises ValueError if it says
    it is, but cannot be."""
    version = ip[0] >> 4
    if version == 4:
        hlen, proto = (ip[0] & 15) * 4, ip[9]
        length = struct.unpack(">H", ip[2:4])[0]
        src, dst = (socket.inet_ntoa(ip[i:i + 4]) for i in (12, 16))
    else:
        hlen, proto = 40, ip[6]
        length = struct.unpack(">H", ip[4:6])[0] + 40
        src, dst = (socket.inet_ntop(socket.AF_INET6, ip[i:i + 16])
                    for i in (8, 24))
    ip = ip[:length]
    if proto != 17 or len(ip) < hlen + 8:
        return None
    sport, dport, ulen, csum = struct.unpack(">HHHH", ip[hlen:hlen + 8])
    if dport != PORT:
        return None
    if ulen != length - hlen or len(ip) != length:
        raise ValueError("lengths: UDP %d, IP %d, captured %d" %
                         (ulen, length, len(ip)))
    return parse_ib(ip, version, src, dst, sport, csum, ip[hlen + 8:])


def parse_ib(ip, version, src, dst, sport, csum, ib):
    if len(ib) < 16:
        raise ValueError("too short for BTH and ICRC: %d" % len(ib))
    opcode, flags, pkey, qpn, psn = struct.unpack(">BBHII", ib[:12])
    kinds = headers_of(opcode)
    if kinds is None:
        raise ValueError("opcode 0x%02x does not exist" % opcode)
    ext, at = {}, 12
    for kind in kinds:
        ext[kind] = ib[at:at + SIZE[kind]]
        at += SIZE[kind]
    pad = flags >> 4 & 3
    if at + pad + 4 > len(ib):
        raise ValueError("shorter than its headers")
    return Packet(ip, version, src, dst, sport, opcode, pad, flags & 15,
                  flags >> 6 & 1, pkey, qpn & 0xffffff, psn >> 31,
                  psn & 0xffffff, ext, ib[at:len(ib) - pad - 4],
                  icrc(ip[:-4]) == ip[-4:], version == 6 or ip[6] >> 6 & 1,
                  csum)


# ---- Captures -----------------------------------------------------------------

def strip_link(kind, frame):
    """The IP packet of a captured frame, or None."""
    if kind == 1:
        proto, at = frame[12:14], 14
        while proto in (b"\x81\x00", b"\x88\xa8"):
            proto, at = frame[at + 2:at + 4], at + 4
    elif kind == 113:
        proto, at = frame[14:16], 16
    elif kind == 276:
        proto, at = frame[0:2], 20
    elif kind in (12, 101):
        return frame
    else:
        raise ValueError("link type %d" % kind)
    return frame[at:] if proto in (b"\x08\x00", b"\x86\xdd") else None


def capture(path):
    """IP packets of a pcap file."""
    with open(path, "rb") as f:
        head = f.read(24)
        order = "<" if head[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
        kind = struct.unpack(order + "I", head[20:24])[0] & 0xffff
        while True:
            record = f.read(16)
            if len(record) < 16:
                return
            size, real = struct.unpack(order + "8xII", record)
            frame = f.read(size)
            if size != real:
                raise ValueError("captured %d of %d bytes" % (size, real))
            ip = strip_link(kind, frame)
            if ip:
                yield ip
