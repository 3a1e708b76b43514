// Joins the reports of a session with its log, its files and what is known of prices. Loaded at the first one.

import { lookUpPaths } from "../agent/tools/namedPaths.ts";
import type { PolicyContext } from "../policy/policyQuestion.ts";
import type { Rule } from "../policy/rules.ts";
import type { Processes } from "../ports/processes.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { Reports } from "../rpc/server.ts";
import { changesReport } from "../runtime/changes.ts";
import { EXPORTS } from "../runtime/exportSession.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { lastQuestion, listGrants, listRules, testCommand } from "../runtime/permissionReport.ts";
import { costReport, listArtifacts } from "../runtime/reports.ts";
import type { Sessions } from "../runtime/sessions.ts";
import type { Commit } from "../session/events.ts";
import { recordedCost } from "./activeModel.ts";
import { type SessionSkills, skillsReport } from "./skills.ts";

export interface ReportParts {
	sessions: Pick<Sessions, "read">;
	session: LiveSession;
	workspace: Workspace;
	processes: Processes;
	redact(text: string): string;
	/** Everything beside a call that a verdict depends on, as it is now. */
	policy(): PolicyContext;
	suggestedRules(): readonly Rule[];
	skills: SessionSkills | undefined;
	/** Whether the folder's own configuration is read. */
	trusted: boolean;
}

/** The reports of one session. */
export function createReports(parts: ReportParts): Reports {
	const { session, workspace, processes, redact } = parts;
	const commits = async (): Promise<Commit[]> => {
		await session.flush({ wait: true });
		return (await parts.sessions.read(session.state.sessionId, { onLostText: () => undefined })).commits;
	};
	return {
		export: async (format) => EXPORTS[format](await commits()),
		diff: async () => {
			const { signal } = new AbortController();
			return changesReport(await commits(), { processes, workspace, redact, signal });
		},
		cost: async () => costReport(await commits(), recordedCost),
		artifacts: async () => listArtifacts(await commits()),
		skills: () => skillsReport(session, parts.skills, parts.trusted),
		permissions: async () => ({
			mode: session.state.mode,
			rules: listRules(parts.policy().rules ?? []),
			granted: listGrants(session.state),
			suggested: listRules(parts.suggestedRules()),
			taint: session.state.taint,
			lastQuestion: lastQuestion(await commits()) ?? null,
		}),
		testCommand: async (command) =>
			testCommand(command, parts.policy(), await lookUpPaths(command, workspace.root, { workspace })),
	};
}
