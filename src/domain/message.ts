import { z } from 'zod'

export const AgentName = z.enum(['perceive', 'reason', 'verify', 'integrate'])
export type AgentName = z.infer<typeof AgentName>

/** What one stage tells the next; the messages of a decision are its trace. */
export const CognitiveMessage = z.strictObject({
  message_id: z.string(),
  sender: AgentName,
  receiver: z.union([AgentName, z.literal('record')]),
  task_id: z.string(),
  cognitive_state: z.record(z.string(), z.unknown()),
  payload: z.record(z.string(), z.unknown()),
  trace_id: z.string(),
  cc: z.array(z.string()).optional(),
})
export type CognitiveMessage = z.infer<typeof CognitiveMessage>
