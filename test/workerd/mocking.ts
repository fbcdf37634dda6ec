// Setup of tests that replace modules. Vitest 5.1 disables a storage after each factory, and workerd only throws there.
import { AsyncLocalStorage } from "node:async_hooks";

AsyncLocalStorage.prototype.disable = () => {};
