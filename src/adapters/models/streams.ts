// The streams of the bundle under the SDK, in place of the runtime's: those take long to load, and a dozen promises for
// each piece. scripts/build.mjs puts them under their names into the SDK's code. They do what it asks of them: one
// reader, one read at a time, nothing done that nobody reads.

/** What fills a stream. */
interface Controller<T> {
	enqueue(piece: T): void;
	/** Nothing more comes; what was enqueued is still read. */
	close(): void;
	/** The reader gets this error next. */
	error(reason: unknown): void;
}

interface Source<T> {
	start?(controller: Controller<T>): void;
	/** Called by a read that finds nothing, again and again until it finds something or the end. */
	pull?(controller: Controller<T>): unknown;
	cancel?(reason: unknown): unknown;
}

/** A stream that its one reader pulls; https://streams.spec.whatwg.org/#rs-class */
export class ReadableStream<T> {
	readonly #source: Source<T>;
	readonly #controller: Controller<T>;
	#pieces: T[] = [];
	#isOpen = true;
	#failure: { reason: unknown } | undefined;

	constructor(source: Source<T>) {
		this.#source = source;
		this.#controller = {
			enqueue: (piece) => {
				if (this.#isOpen) this.#pieces.push(piece);
			},
			close: () => {
				this.#isOpen = false;
			},
			error: (reason) => {
				if (this.#isOpen) this.#end({ reason });
			},
		};
		source.start?.(this.#controller);
	}

	#end(failure?: { reason: unknown }): void {
		this.#isOpen = false;
		this.#pieces = [];
		this.#failure = failure;
	}

	/** The stream itself is its one reader. */
	getReader(): this {
		return this;
	}

	async read(): Promise<{ done: false; value: T } | { done: true; value: undefined }> {
		while (this.#pieces.length === 0 && this.#isOpen) {
			try {
				await this.#source.pull?.(this.#controller);
			} catch (reason) {
				this.#controller.error(reason);
			}
		}
		if (this.#failure) throw this.#failure.reason;
		if (this.#pieces.length === 0) return { done: true, value: undefined };
		return { done: false, value: this.#pieces.shift()! };
	}

	releaseLock(): void {}

	async cancel(reason?: unknown): Promise<void> {
		if (!this.#isOpen) return;
		this.#end();
		await this.#source.cancel?.(reason);
	}

	/** Two of the runtime's own: they are read at different times, which is rare and much work. */
	tee(): ReturnType<globalThis.ReadableStream<T>["tee"]> {
		return globalThis.ReadableStream.from(this).tee();
	}

	pipeThrough<O>(transform: TransformStream<T, O>): ReadableStream<O> {
		return transform.readFrom(this);
	}

	/** Leaving the loop early cancels the stream. */
	async *[Symbol.asyncIterator](): AsyncGenerator<T> {
		try {
			for (let next = await this.read(); !next.done; next = await this.read()) yield next.value;
		} finally {
			await this.cancel();
		}
	}
}

interface Transformer<I, O> {
	start?(controller: Controller<O>): void;
	transform(piece: I, controller: Controller<O>): unknown;
	flush?(controller: Controller<O>): unknown;
}

/** A step that a stream is piped through; https://streams.spec.whatwg.org/#ts-class */
export class TransformStream<I, O> {
	readonly #transformer: Transformer<I, O>;

	constructor(transformer: Transformer<I, O>) {
		this.#transformer = transformer;
	}

	/** What comes out when `input` goes in. */
	readFrom(input: ReadableStream<I>): ReadableStream<O> {
		const transformer = this.#transformer;
		return new ReadableStream<O>({
			start: (controller) => transformer.start?.(controller),
			async pull(controller) {
				const { done, value } = await input.read();
				if (!done) {
					await transformer.transform(value, controller);
				} else {
					await transformer.flush?.(controller);
					controller.close();
				}
			},
			cancel: (reason) => input.cancel(reason),
		});
	}
}

/** Turns bytes of UTF-8 into text, whatever characters the pieces cut; https://encoding.spec.whatwg.org/#interface-textdecoderstream */
export class TextDecoderStream extends TransformStream<Uint8Array, string> {
	constructor() {
		const decoder = new TextDecoder();
		super({
			transform: (bytes, controller) => controller.enqueue(decoder.decode(bytes, { stream: true })),
			flush: (controller) => controller.enqueue(decoder.decode()),
		});
	}
}
