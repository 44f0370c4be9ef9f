import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { accessContract } from './access-contract.ts'

accessContract('memory', async () => openMemoryStore())
