// Which addresses count as public.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nonPublicKind } from "../../../src/adapters/web/publicAddress.ts";

describe("nonPublicKind", () => {
	it.each([
		"1.1.1.1",
		"8.8.8.8",
		"93.184.216.34",
		"172.32.0.1",
		"100.128.0.1",
		"2606:4700:4700::1111",
		"2a00:1450:4001::64",
	])("takes %s for public", (address) => {
		expect(nonPublicKind(address)).toBeUndefined();
	});

	it.each([
		["0.0.0.0", "unspecified"],
		["0.1.2.3", "unspecified"],
		["127.0.0.1", "loopback"],
		["127.255.255.254", "loopback"],
		["10.0.0.1", "private"],
		["172.16.0.1", "private"],
		["172.31.255.255", "private"],
		["192.168.1.1", "private"],
		["169.254.169.254", "metadata"],
		["168.63.129.16", "metadata"],
		["100.64.0.1", "carrier"],
		["100.100.100.200", "carrier"],
		["224.0.0.1", "multicast"],
		["198.18.0.1", "reserved"],
		["203.0.113.7", "reserved"],
		["255.255.255.255", "reserved"],
		["::", "unspecified"],
		["::1", "loopback"],
		["::127.0.0.1", "reserved"],
		["::ffff:127.0.0.1", "loopback"],
		["::ffff:8.8.8.8", "reserved"],
		["64:ff9b::7f00:1", "translated"],
		["64:ff9b:1::a00:1", "translated"],
		["2002:7f00:1::", "translated"],
		["2001:0:4136:e378::1", "translated"],
		["fe80::1", "link-local"],
		["fe80::1%eth0", "link-local"],
		["fec0::1", "reserved"],
		["fc00::1", "private"],
		["fd12:3456::1", "private"],
		["ff02::1", "multicast"],
		["2001:db8::1", "reserved"],
		["100::1", "reserved"],
		["example.com", "not a numeric"],
		["", "not a numeric"],
	])("takes %s for no public address: %s", (address, kind) => {
		expect(nonPublicKind(address)).toContain(kind);
	});

	it("takes no IPv6 address outside 2000::/3 for public", () => {
		fc.assert(
			fc.property(fc.ipV6(), (address) => {
				const first = Number.parseInt(address.startsWith(":") ? "0" : address.split(":", 1)[0]!, 16);
				fc.pre(first < 0x2000 || first > 0x3fff);
				expect(nonPublicKind(address)).toBeDefined();
			}),
		);
	});
});
