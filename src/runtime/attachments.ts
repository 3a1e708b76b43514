// What a message brings along: the skill that it starts, the files, folders and sessions that it names, its images. The
// person named them, so they are read without a question; secrets are not, and what policy denies stays denied.

import { truncateResult } from "../agent/toolResults.ts";
import { pathFacts } from "../agent/tools/filePath.ts";
import type { PolicyQuestion } from "../policy/policyQuestion.ts";
import type { ResolvedPath, Workspace } from "../ports/workspace.ts";
import { inlineImages } from "../session/attachments.ts";
import type { Attachment, LoadedSkill } from "../session/events.ts";
import { readImageHead } from "../session/imageHead.ts";
import { findMentions, type Mention, takeOutImages } from "../session/mentions.ts";
import { AgiError } from "../types.ts";
import { sessionExcerpt } from "./sessionExcerpt.ts";
import type { Sessions } from "./sessions.ts";
import { type StartableSkills, startSkill } from "./startSkill.ts";

const REFUSED = "NOT_ATTACHED";

const MAX_FILE_LETTERS = 50_000;
const MAX_SESSION_LETTERS = 20_000;
/** Of all texts of one message together. */
const MAX_ALL_LETTERS = 200_000;
const MAX_ENTRIES = 200;
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** What attaching works with. */
export interface AttachParts {
	workspace: Workspace;
	sessions: Pick<Sessions, "find" | "read">;
	/** The session that the message goes to. */
	sessionId: string;
	/** Absent where there are none. */
	skills?: StartableSkills;
	/** Why a path is not to be read, though the person named it; undefined where it may be. */
	refusal(path: ResolvedPath, question: PolicyQuestion): string | undefined;
	/** The source of text of unknown intent that such a read brings in. */
	taintSource(question: PolicyQuestion): string | undefined;
	/** Why the model that answers now takes no images; undefined where it does. */
	imageRefusal(): string | undefined;
	putBlob(bytes: Uint8Array): Promise<string>;
	/** SHA-256 in hex. */
	digest(text: string): string;
	redact(text: string): string;
}

/** A message with what it brings along. */
export interface AttachedMessage {
	text: string;
	attachments: Attachment[];
	/** Sources of text of unknown intent. */
	taints: string[];
	/** The skill that it starts, but for the id of the message. */
	skill?: Omit<LoadedSkill, "itemId">;
}

/** A message, or the sentence that says why it is not sent. */
export type AttachResult = { ok: true; value: AttachedMessage } | { ok: false; message: string };

/** How a message is to be read. */
export interface AttachOptions {
	/** Letters at its beginning that the person typed; nothing behind them is looked up. Absent: all. */
	typed?: number;
	/** False: a slash at its beginning is only a slash. */
	startsSkills?: false;
	/** Images of a message that was taken back, whose blobs are kept. */
	images?: readonly Attachment[];
}

/** Reads what `text` names. */
export async function attach(
	parts: AttachParts,
	text: string,
	{ typed = text.length, startsSkills, images: carried }: AttachOptions = {},
): Promise<AttachResult> {
	try {
		const { text: words, images } = takeOutImages(text.slice(0, typed));
		const whole = words + text.slice(typed);
		const message: AttachedMessage = { text: parts.redact(whole), attachments: [], taints: [] };
		for (const { name, base64 } of images) {
			const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
			message.attachments.push(await imageOf(parts, name, bytes));
		}
		message.attachments.push(...carriedImages(parts, words, carried));
		const skill = startsSkills === false ? undefined : await startSkill(words, parts.skills);
		if (skill && !skill.ok) return skill;
		if (skill) {
			message.skill = skill.loaded;
			message.attachments.push(bounded(parts, message, skill.attachment));
		}
		for (const mention of findMentions(words)) await attachMention(parts, message, mention);
		return { ok: true, value: message };
	} catch (error) {
		if (error instanceof AgiError && error.code === REFUSED) return { ok: false, message: error.message };
		throw error;
	}
}

/** Another model than before may answer now. */
function carriedImages(parts: AttachParts, words: string, carried: readonly Attachment[] = []): Attachment[] {
	const images = inlineImages(words, carried);
	const refusal = images.length > 0 ? parts.imageRefusal() : undefined;
	if (refusal !== undefined) throw refused(`${images[0]!.source} is not attached: ${refusal}`);
	return images;
}

async function attachMention(parts: AttachParts, message: AttachedMessage, mention: Mention): Promise<void> {
	if (mention.kind === "session") return attachSession(parts, message, mention.id);
	const isBare = mention.kind === "imagePath";
	// A path that happens to stand in the text asks for nothing.
	if (isBare && parts.imageRefusal() !== undefined) return;
	for (const path of isBare ? [mention.path] : mention.paths) {
		const resolved = await parts.workspace.resolve(path);
		if (!resolved.ok || (resolved.value.kind !== "file" && resolved.value.kind !== "folder")) continue;
		if (isBare && resolved.value.kind !== "file") return;
		return attachPath(parts, message, resolved.value);
	}
}

async function attachPath(parts: AttachParts, message: AttachedMessage, path: ResolvedPath): Promise<void> {
	const question = questionOf(path);
	const refusal = parts.refusal(path, question);
	if (refusal !== undefined) throw refused(`${path.shown} is not attached: ${refusal}`);
	message.attachments.push(
		path.kind === "folder"
			? bounded(parts, message, await folderOf(parts, path))
			: await fileOf(parts, message, path),
	);
	const source = parts.taintSource(question);
	if (source !== undefined) message.taints.push(parts.redact(source));
}

/** As if the model read it. */
function questionOf(path: ResolvedPath): PolicyQuestion {
	const isFolder = path.kind === "folder";
	return {
		tool: isFolder ? "listFiles" : "readFile",
		version: 1,
		args: isFolder ? { directory: path.given } : { path: path.given },
		effects: "none",
		resources: [{ kind: isFolder ? "tree" : "file", key: path.real, access: "read" }],
		facts: pathFacts(path),
	};
}

async function fileOf(parts: AttachParts, message: AttachedMessage, path: ResolvedPath): Promise<Attachment> {
	const source = path.shown;
	const read = await parts.workspace.read(path, { maxBytes: MAX_TEXT_BYTES });
	const note = (text: string): Attachment =>
		bounded(parts, message, { kind: "file", source, text, cut: true, digest: parts.digest(text) });
	if (!read.ok) return note(`(Not attached. ${read.error.message})`);
	const { bytes, text, stamp } = read.value;
	if (readImageHead(bytes)) return imageOf(parts, source, bytes);
	if (text === undefined)
		return note(`(A binary file of ${bytes.length} bytes; its content is not attached.)`);
	const digest = stamp.digest ?? parts.digest(text);
	const attached = bounded(parts, message, { kind: "file", source, text, cut: false, digest });
	return attached.cut ? attached : { ...attached, stamp };
}

async function folderOf(parts: AttachParts, path: ResolvedPath): Promise<Attachment> {
	const listed = await parts.workspace.list(path);
	const entries = listed.ok ? listed.value.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : [];
	const lines = entries
		.slice(0, MAX_ENTRIES)
		.map(({ name, kind }) => `[${kind === "folder" ? "dir" : kind}] ${JSON.stringify(name).slice(1, -1)}`);
	const left = entries.length - lines.length;
	const more = left > 0 ? [`[${left} more entries are not shown]`] : [];
	const text = listed.ok ? [...lines, ...more].join("\n") || "(The folder is empty.)" : listed.error.message;
	return { kind: "folder", source: path.shown, text, cut: left > 0, digest: parts.digest(text) };
}

async function attachSession(parts: AttachParts, message: AttachedMessage, given: string): Promise<void> {
	const id = await findSession(parts, given);
	if (id === parts.sessionId) throw refused(`@session:${given} is this session; name another one.`);
	const { commits } = await parts.sessions.read(id, { onLostText: () => undefined });
	const { text, cut, tainted } = sessionExcerpt(commits, MAX_SESSION_LETTERS);
	const digest = parts.digest(text);
	message.attachments.push(bounded(parts, message, { kind: "session", source: id, text, cut, digest }));
	if (tainted) message.taints.push(`the session ${id}, which had read texts of strangers`);
}

/** One of this project by the beginning of its id, one of another project only by the whole of it. */
async function findSession({ sessions }: AttachParts, given: string): Promise<string> {
	try {
		return await sessions.find(given);
	} catch (error) {
		const elsewhere = await sessions.find(given, { allProjects: true }).catch(() => undefined);
		if (elsewhere === given) return given;
		throw refused(error instanceof Error ? error.message : String(error));
	}
}

async function imageOf(parts: AttachParts, source: string, bytes: Uint8Array): Promise<Attachment> {
	const refusal = parts.imageRefusal();
	if (refusal !== undefined) throw refused(`${source} is not attached: ${refusal}`);
	if (bytes.length > MAX_IMAGE_BYTES)
		throw refused(
			`${source} is not attached: it has ${bytes.length} bytes, and an image may have 5 MB. Make it smaller.`,
		);
	const image = readImageHead(bytes);
	if (!image) throw refused(`${source} is not attached: it is no PNG, JPEG, GIF or WebP image.`);
	return { kind: "image", source, text: "", cut: false, digest: await parts.putBlob(bytes), image };
}

/** Without secrets, and within what is left of the room for all texts of the message. */
function bounded(parts: AttachParts, { attachments }: AttachedMessage, attachment: Attachment): Attachment {
	const taken = attachments.reduce((sum, { text }) => sum + text.length, 0);
	const room = Math.min(MAX_FILE_LETTERS, Math.max(1_000, MAX_ALL_LETTERS - taken));
	const whole = parts.redact(attachment.text);
	const text = truncateResult(whole, room);
	return {
		...attachment,
		source: parts.redact(attachment.source),
		text,
		cut: attachment.cut || text !== whole,
	};
}

/** Why the whole message is not sent. */
function refused(message: string): AgiError {
	return new AgiError(REFUSED, message);
}
