import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { storeContract } from './store-contract.ts'

storeContract('memory', async () => openMemoryStore())
