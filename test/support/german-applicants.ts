import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { mapApplicant } from '../../examples/south-german-credit/map-applicant.ts'
import { readApplicants } from '../../examples/south-german-credit/read-applicants.ts'
import { home } from './service.ts'

const folder = path.join(home, 'examples', 'south-german-credit')

/** The example's own pack and knowledge. */
export const germanFolders = { rules: path.join(folder, 'rules'), graph: path.join(folder, 'graph') }

/** The 1,000 applicants as requests, one JSON text each, in the order of the data set. */
export async function germanApplications(): Promise<readonly string[]> {
  const csv = await readFile(path.join(folder, 'south-german-credit.csv'), 'utf8')
  return readApplicants(csv).map((applicant) => JSON.stringify(mapApplicant(applicant)))
}
