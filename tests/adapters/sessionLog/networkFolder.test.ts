import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { networkNotice } from "../../../src/adapters/sessionLog/networkFolder.ts";

describe.runIf(process.platform === "linux")("networkNotice", () => {
	it.each([
		["NFS", 0x6969],
		["SMB", 0xfe534d42],
		["CIFS", 0xff534d42 - 2 ** 32],
		["9P", 0x01021997],
	])("warns of %s and says what to do", (name, type) => {
		expect(networkNotice("/home/u/data", () => ({ type }))).toMatch(
			new RegExp(`^Sessions are kept in /home/u/data, .*\\(${name}\\).*Set AGI_HOME`),
		);
	});

	it("says nothing of a disk of this machine, nor of a folder that is not there", () => {
		expect(networkNotice("/", () => ({ type: 0xef53 }))).toBeUndefined();
		expect(networkNotice(tmpdir())).toBeUndefined();
		expect(networkNotice("/no/such/folder")).toBeUndefined();
	});
});
