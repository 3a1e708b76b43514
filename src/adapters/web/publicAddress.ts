// Which IP addresses lie on the public internet. Pure; decides by what is known to be public, so that a form of address
// nobody thought of is not. Sources: the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates).

import { BlockList, isIP } from "node:net";

const NOT_PUBLIC: readonly (readonly [kind: string, networks: readonly string[]])[] = [
	["an unspecified", ["0.0.0.0/8", "::/128"]],
	["a loopback", ["127.0.0.0/8", "::1/128"]],
	["a private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]],
	// Cloud metadata services listen at 169.254.169.254, Azure's agent at 168.63.129.16.
	["a link-local or metadata", ["169.254.0.0/16", "168.63.129.16/32", "fe80::/10"]],
	["a carrier's private", ["100.64.0.0/10"]],
	["a multicast", ["224.0.0.0/4", "ff00::/8"]],
	// These carry an IPv4 address inside, which the IPv4 rules would not see. Mapped ones (::ffff:0:0/96) are missing
	// because the list would take every plain IPv4 address for one; they are refused as outside 2000::/3.
	["a translated", ["64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"]],
	[
		"a reserved",
		[
			"192.0.0.0/24",
			"192.0.2.0/24",
			"192.88.99.0/24",
			"198.18.0.0/15",
			"198.51.100.0/24",
			"203.0.113.0/24",
			"240.0.0.0/4",
			"2001::/23",
			"2001:db8::/32",
			"3fff::/20",
		],
	],
];

/** Made when they are first asked: most runs fetch no page. */
let lists: { notPublic: { kind: string; list: BlockList }[]; globalUnicast: BlockList } | undefined;

/** What a numeric address is instead of public, such as "a loopback"; undefined where it is public. */
export function nonPublicKind(address: string): string | undefined {
	const version = isIP(address);
	if (version === 0) return "not a numeric";
	const family = version === 4 ? "ipv4" : "ipv6";
	lists ??= {
		notPublic: NOT_PUBLIC.map(([kind, networks]) => ({ kind, list: blockList(networks) })),
		globalUnicast: blockList(["2000::/3"]),
	};
	const hit = lists.notPublic.find(({ list }) => list.check(address, family));
	if (hit !== undefined) return hit.kind;
	return family === "ipv6" && !lists.globalUnicast.check(address, family) ? "a reserved" : undefined;
}

function blockList(networks: readonly string[]): BlockList {
	const list = new BlockList();
	for (const network of networks) {
		const [address, bits] = network.split("/");
		list.addSubnet(address!, Number(bits), address!.includes(":") ? "ipv6" : "ipv4");
	}
	return list;
}
