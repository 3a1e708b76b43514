// Joins what a message brings along with the policy, the sessions and the model of one session.

import { homedir } from "node:os";
import { evaluate } from "../policy/evaluate.ts";
import type { PolicyContext } from "../policy/policyQuestion.ts";
import { hiddenCandidates, isInside } from "../policy/sandboxProfile.ts";
import { taintSource } from "../policy/taint.ts";
import type { Workspace } from "../ports/workspace.ts";
import { type AttachOptions, type AttachResult, attach } from "../runtime/attachments.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { Sessions } from "../runtime/sessions.ts";
import type { ActiveModel } from "./activeModel.ts";
import type { Place } from "./place.ts";
import { loadedSkill, type SessionSkills } from "./skills.ts";

export interface AttacherParts {
	session: LiveSession;
	sessions: Pick<Sessions, "find" | "read">;
	workspace: Workspace;
	place: Place;
	skills: SessionSkills | undefined;
	/** The model that answers from the next step on. */
	model(): ActiveModel;
	policy(): PolicyContext;
	/** SHA-256 in hex. */
	digest(text: string): string;
	redact(text: string): string;
}

/** Reads what a message names. */
export type Attacher = (text: string, options?: AttachOptions) => Promise<AttachResult>;

/** The attacher of one session. */
export function createAttacher(parts: AttacherParts): Attacher {
	const { session, sessions, workspace, skills, policy, digest, redact } = parts;
	const { config, data, cache } = parts.place.folders;
	const hidden = hiddenCandidates([homedir()], [config, data, cache], [workspace.root, ...workspace.added]);
	return (text, options) =>
		attach(
			{
				workspace,
				sessions,
				sessionId: session.state.sessionId,
				...(skills
					? {
							skills: {
								find: skills.find,
								read: skills.read,
								loaded: (skill, version) => loadedSkill(skill, version, ""),
							},
						}
					: {}),
				refusal(path, question) {
					if (path.isSecret) return SECRET;
					if (hidden.some((folder) => isInside(path.real, folder))) return SECRET;
					const { verdict, reason } = evaluate(question, policy());
					return verdict === "deny" ? reason : undefined;
				},
				taintSource(question) {
					const { trusted, places } = policy();
					return taintSource(question, { trusted, places, network: false });
				},
				imageRefusal: () => imageRefusal(parts.model()),
				putBlob: session.putBlob,
				digest,
				redact,
			},
			text,
			options,
		);
}

const SECRET = "it usually holds secrets. Take it out of the message, or paste only what the model may read.";

function imageRefusal({ takesImages, shown }: ActiveModel): string | undefined {
	if (takesImages) return undefined;
	if (shown.offline) return "the offline model takes no images. Choose another model with /model.";
	if (takesImages === false) return `${shown.model} takes no images. Choose a model that does with /model.`;
	return `it is not known whether ${shown.model} takes images. If it does: agi config set images true`;
}
