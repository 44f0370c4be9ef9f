import process from 'node:process'

/** The examples there are; each takes the rest of the command line and gives the exit status. */
const examples: Readonly<Record<string, () => Promise<{ run(args: readonly string[]): Promise<number> }>>> = {
  'lending-tables': () => import('./lending-tables/run.ts'),
  'south-german-credit': () => import('./south-german-credit/run.ts'),
}

const [name = '', ...rest] = process.argv.slice(2)
const load = Object.hasOwn(examples, name) ? examples[name] : undefined
if (load === undefined) {
  const got = name === '' ? 'no name was given' : `there is no example \`${name}\``
  process.stderr.write(`${got}; known: ${Object.keys(examples).join(', ')}\n`)
  process.stderr.write('Run one as: npm run example -- NAME\n')
  process.exitCode = 2
} else {
  process.exitCode = await (await load()).run(rest)
}
