// The images of a request: their bytes, taken from beside the log right before it is sent, or only their names where the
// model takes none. What the log holds of them stays as it is.

import type { ModelRequest, PromptImage, PromptMessage } from "../ports/model.ts";
import type { TurnContext } from "./turn.ts";

/** Messages never change, so each gets its bytes once. */
const filled = new WeakMap<PromptMessage, PromptMessage>();

/** The request as it can be sent. Never rejects for a blob that is gone: the model is told so instead. */
export async function withImages(
	{ session, takesImages = true }: Pick<TurnContext, "session" | "takesImages">,
	request: ModelRequest,
): Promise<ModelRequest> {
	if (!request.messages.some((message) => message.role === "user" && message.images)) return request;
	const messages: PromptMessage[] = [];
	for (const message of request.messages) {
		if (message.role !== "user" || !message.images) messages.push(message);
		else if (!takesImages) messages.push(named(message.text, message.images, "this model takes no images"));
		else {
			const whole = filled.get(message) ?? (await fill(message.text, message.images, session.getBlob));
			filled.set(message, whole);
			messages.push(whole);
		}
	}
	return { ...request, messages };
}

async function fill(
	text: string,
	images: readonly PromptImage[],
	getBlob: (digest: string) => Promise<Uint8Array>,
): Promise<PromptMessage> {
	try {
		const whole = images.map(async (image) => ({ ...image, base64: toBase64(await getBlob(image.digest)) }));
		return { role: "user", text, images: await Promise.all(whole) };
	} catch (error) {
		return named(text, images, error instanceof Error ? error.message : String(error));
	}
}

function named(text: string, images: readonly PromptImage[], why: string): PromptMessage {
	const names = images.map(({ source }) => source).join(", ");
	return { role: "user", text: `${text}\n\n[Not shown: ${names}; ${why}]` };
}

function toBase64(bytes: Uint8Array): string {
	let letters = "";
	for (let at = 0; at < bytes.length; at += 8_192)
		letters += String.fromCharCode(...bytes.subarray(at, at + 8_192));
	return btoa(letters);
}
