import { createMemoryStore } from "../../../src/adapters/sessionLog/memory.ts";
import { describeSessionStore, digest } from "../../contracts/sessionLog.ts";

describeSessionStore("createMemoryStore", async () => createMemoryStore({ digest }));
