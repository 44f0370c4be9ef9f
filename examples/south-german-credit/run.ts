import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startService } from '../start-service.ts'
import { type Answer, decideAll } from './decide-all.ts'
import { mapApplicant } from './map-applicant.ts'
import { outcomeOf, readApplicants } from './read-applicants.ts'
import { drawTally, tally } from './tally.ts'

const usage = `npm run example -- south-german-credit [--data FOLDER] [--json]

Decides the 1,000 applicants of the data set through the service and prints the decisions against
what became of the loans.

  --data FOLDER  where the service keeps its records (default: data/south-german-credit)
  --json         print everything as one JSON object instead of the table
`

/** Runs the example; gives the exit status: 0 done, 1 something failed, 2 called wrongly. */
export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (options === undefined) {
    process.stderr.write(usage)
    return 2
  }
  if (options.help === true) {
    process.stdout.write(usage)
    return 0
  }
  try {
    process.stdout.write(await decideDataSet(options.data, options.json === true))
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        data: { type: 'string', default: path.join('data', 'south-german-credit') },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n`)
    return undefined
  }
}

async function decideDataSet(dataFolder: string, asJson: boolean): Promise<string> {
  const csv = await readFile(path.join(import.meta.dirname, 'south-german-credit.csv'), 'utf8')
  const applicants = readApplicants(csv)
  await mkdir(dataFolder, { recursive: true })
  await using service = await startService(import.meta.dirname, dataFolder)
  const answers = await decideAll(service.url, applicants.map(mapApplicant))
  const decided = applicants.map((applicant, index) => {
    const answer = answers[index] as Answer
    const { decision, chains } = answer
    return { application_id: applicant.id, decision, outcome: outcomeOf(applicant), chains, ...told(answer) }
  })
  const lines = tally(decided)
  if (asJson) return `${JSON.stringify({ tally: lines, decisions: decided })}\n`
  const folder = path.relative('', dataFolder)
  return `${drawTally(lines)}\nEvery decision is recorded in ${folder}. To check the records, and to decide all again from them:\n${checks(folder)}`
}

function told({ reasons }: Answer) {
  return { reasons: reasons.map(({ code, text }) => ({ code, text: text.en })) }
}

function checks(folder: string): string {
  const settings = `CAUSEBOOK_DATA=${folder} CAUSEBOOK_RULES=examples/south-german-credit/rules CAUSEBOOK_GRAPH=examples/south-german-credit/graph`
  return ['verify', 'replay --all']
    .map((command) => `  ${settings} npm run -s causebook -- ${command}\n`)
    .join('')
}
