#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Packets of each opcode, built by the driver's code, as others see them:
an ICRC written down here, scapy, and tshark."""

import json
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

ETHER = 14
HERE = Path(__file__).resolve().parent

# Wireshark 4.0 knows neither; their BTH is compared all the same.
UNKNOWN_TO_TSHARK = {0x1C, 0x1D}

TSHARK_BTH = {
    "opcode": "bth.opcode", "se": "bth.se", "migreq": "bth.m", "pad": "bth.padcnt",
    "pkey": "bth.p_key", "dqpn": "bth.destqp", "ackreq": "bth.a", "psn": "bth.psn",
}
TSHARK_EXT = {
    "V": ("va", "reth.va"), "R": ("rkey", "reth.r_key"), "L": ("dmalen", "reth.dmalen"),
    "S": ("swap_add", "atomiceth.swapdt"), "C": ("compare", "atomiceth.cmpdt"),
    "Y": ("syndrome", "aeth.syndrome"), "M": ("msn", "aeth.msn"),
    "O": ("orig", "atomicacketh.origremdt"), "Q": ("qkey", "deth.q_key"),
    "P": ("sqpn", "deth.srcqp"), "I": ("imm", "immdt"), "K": ("inv_rkey", "ieth"),
}
SCAPY_BTH = {
    "opcode": "opcode", "se": "solicited", "migreq": "migreq", "pad": "padcount",
    "pkey": "pkey", "fecn": "fecn", "becn": "becn", "dqpn": "dqpn", "ackreq": "ackreq",
    "psn": "psn",
}


class Failed(Exception):
    pass


def same(what, a, b):
    if a != b:
        raise Failed(f"{what}: {a!r}, not {b!r}")


def install(package):
    return Failed(f"missing; run: apt-get install {package}")


def read_pcap(path):
    data = path.read_bytes()
    at, frames = 24, []
    while at < len(data):
        size = int.from_bytes(data[at + 8:at + 12], "little")
        frames.append(data[at + 16:at + 16 + size])
        at += 16 + size
    return frames


def icrc(packet):
    """ICRC of an IP packet; the last four bytes aren't looked at."""
    ipv6 = packet[0] >> 4 == 6
    udp = 40 if ipv6 else 20
    masked = bytearray(packet[:-4])
    ones = (1, 2, 3, 7) if ipv6 else (1, 8, 10, 11)
    if ipv6:
        masked[0] |= 0x0F
    for byte in ones + (udp + 6, udp + 7, udp + 8 + 4):
        masked[byte] = 0xFF
    return zlib.crc32(b"\xff" * 8 + masked).to_bytes(4, "little")


def check_icrc(pcap, expected):
    frames = read_pcap(pcap)
    same("frames", len(frames), len(expected))
    for frame, want in zip(frames, expected):
        same(want["name"], frame[-4:], icrc(frame[ETHER:]))


def check_length(pcap, expected):
    for frame, want in zip(read_pcap(pcap), expected):
        ip = 40 if frame[ETHER] >> 4 == 6 else 20
        size = 12 + len(want["headers"]) + want["payload"] + want["pad"] + 4
        same(want["name"], len(frame), ETHER + ip + 8 + size)


def scapy_packets(pcap):
    try:
        import scapy.all  # pylint: disable=import-outside-toplevel
        import scapy.contrib.roce as roce  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise install("python3-scapy") from None
    return roce, scapy.all.rdpcap(str(pcap))


def check_scapy_fields(pcap, expected):
    roce, packets = scapy_packets(pcap)
    for packet, want in zip(packets, expected):
        bth = packet[roce.BTH]
        for ours, theirs in SCAPY_BTH.items():
            same(f"{want['name']}: {ours}", want[ours], bth.getfieldval(theirs))
        same(want["name"], (bth.version, bth.resv6, bth.resv7), (0, 0, 0))
        if want["opcode"] == 0x11:
            aeth = packet[roce.AETH]
            same("syndrome", want["syndrome"], aeth.syndrome)
            same("msn", want["msn"], aeth.msn)
        if want["opcode"] == 0x81:
            padding = packet[roce.CNPPadding]
            same("CNP", (padding.reserved1, padding.reserved2), (0, 0))


def check_scapy_icrc(pcap, expected):
    """scapy computes it over IPv4 only."""
    roce, packets = scapy_packets(pcap)
    seen = 0
    for packet, want in zip(packets, expected):
        if packet.haslayer("IP"):
            on_wire = bytes(packet)[-4:]
            again = packet.copy()
            again[roce.BTH].icrc = None
            same(want["name"], on_wire, bytes(again)[-4:])
            seen += 1
    same("IPv4 packets", seen, len(expected) // 2)


def tshark(*args):
    if not shutil.which("tshark"):
        raise install("tshark")
    done = subprocess.run(["tshark", *args], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"tshark {' '.join(args)}: {done.stderr.strip()}")
    return done.stdout


def flatten(tree, into):
    for key, value in tree.items():
        if isinstance(value, dict):
            flatten(value, into)
        else:
            into[key] = value
    return into


def number(text):
    return int(text.replace(":", ""), 16) if ":" in text else int(text, 0)


def tshark_header(want):
    """Names of the fields that the packet has: ours, and tshark's."""
    names = dict(TSHARK_BTH)
    if want["opcode"] not in UNKNOWN_TO_TSHARK:
        names.update(TSHARK_EXT[letter] for letter in set(want["headers"]) - {".", "F"})
    return names


def check_tshark_fields(pcap, expected):
    packets = json.loads(tshark("-r", str(pcap), "-T", "json"))
    same("packets", len(packets), len(expected))
    for packet, want in zip(packets, expected):
        fields = flatten(packet["_source"]["layers"]["infiniband"], {})
        for ours, theirs in tshark_header(want).items():
            seen = fields.get("infiniband." + theirs, "-1")
            same(f"{want['name']}: {ours}", want[ours], number(seen))
        same(want["name"], fields["infiniband.bth.tver"], "0")


def tshark_names():
    names = {}
    for line in tshark("-G", "values").splitlines():
        part = line.split("\t")
        if part[1:2] == ["infiniband.bth.opcode"]:
            transport, _, operation = part[3].partition(" - ")
            transport = transport.rpartition("(")[2].rstrip(")")
            names[int(part[2], 0)] = f"{transport} {operation}".lower()
    return names


def check_tshark_names(_pcap, expected):
    """The opcodes that it knows are called the same, and we lack none of RC, UC, UD."""
    theirs = tshark_names()
    ours = {want["opcode"]: want["name"].lower() for want in expected}
    for opcode, name in ours.items():
        if opcode in theirs:
            same(f"{opcode:#x}", name, theirs[opcode])
    for opcode, name in theirs.items():
        if name.split()[0] in ("rc", "uc", "ud") and "reserved" not in name:
            same(f"{opcode:#x}", ours.get(opcode), name)


CHECKS = {
    "ICRC by zlib": check_icrc,
    "length": check_length,
    "scapy: fields": check_scapy_fields,
    "scapy: ICRC": check_scapy_icrc,
    "tshark: fields": check_tshark_fields,
    "tshark: names of opcodes": check_tshark_names,
}


def run_check(at, name, check, pcap, expected):
    try:
        check(pcap, expected)
    except Failed as failure:
        print(f"# {name}: {failure}\nnot ok {at} {name}")
        return False
    except Exception as failure:  # pylint: disable=broad-except
        print(f"# {name}: {failure!r}\nnot ok {at} {name}")
        return False
    print(f"ok {at} {name}")
    return True


def main():
    with tempfile.TemporaryDirectory() as folder:
        pcap, fields = Path(folder, "all.pcap"), Path(folder, "all.json")
        subprocess.run([HERE / "build/gen_pcap", pcap, fields], check=True)
        expected = [json.loads(line) for line in fields.read_text().splitlines()]
        print(f"KTAP version 1\n1..{len(CHECKS)}")
        results = [run_check(at, name, check, pcap, expected)
                   for at, (name, check) in enumerate(CHECKS.items(), 1)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
