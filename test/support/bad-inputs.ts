/** One kind of bad input, made from a good body (the text of a JSON object). */
export interface BadInput {
  readonly name: string
  readonly status: number | readonly number[]
  readonly body?: (good: string) => string | Uint8Array
  /** In place of `Content-Type: application/json` and the right `Content-Length`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The pointer that one of the named faults must have. */
  readonly pointer?: string
}

const mebibyte = 1024 * 1024
const json = 'application/json'
const utf8 = (text: string) => Buffer.from(text, 'utf8')

/** A member put before all others of an object. */
export function withMember(good: string, member: string): string {
  const rest = good.trimStart().slice(1).trimStart()
  return rest.startsWith('}') ? `{${member}${rest}` : `{${member}, ${rest}`
}

/** Bad whatever the route's body should be. */
export const badInputs: readonly BadInput[] = [
  { name: 'no body and no length', status: 400, body: () => '', headers: { 'content-type': json } },
  { name: 'an empty body', status: 400, body: () => '' },
  { name: 'blanks', status: 400, body: () => ' \n\t ' },
  { name: 'a form', status: 400, body: () => 'application_id=1&policy=us-consumer' },
  { name: 'a cut body', status: 400, body: (good) => good.trimEnd().slice(0, -1) },
  { name: 'two values', status: 400, body: (good) => `${good}${good}` },
  { name: 'two values on two lines', status: 400, body: (good) => `${good}\n${good}` },
  { name: 'trailing garbage', status: 400, body: (good) => `${good} x` },
  { name: 'a trailing comma', status: 400, body: (good) => `${good.trimEnd().slice(0, -1)},}` },
  { name: 'a comment', status: 400, body: (good) => `/* please */ ${good}` },
  { name: 'a comment at the end', status: 400, body: (good) => `${good} // please` },
  { name: 'single quotes', status: 400, body: () => "{'a': 1}" },
  { name: 'a key without quotes', status: 400, body: () => '{a: 1}' },
  { name: 'NaN', status: 400, body: (good) => withMember(good, '"n": NaN') },
  { name: 'Infinity', status: 400, body: (good) => withMember(good, '"n": -Infinity') },
  { name: 'a hexadecimal number', status: 400, body: (good) => withMember(good, '"n": 0x1F') },
  { name: 'a number with a leading zero', status: 400, body: (good) => withMember(good, '"n": 007') },
  { name: 'a number with a plus', status: 400, body: (good) => withMember(good, '"n": +1') },
  { name: 'a number that ends with its point', status: 400, body: (good) => withMember(good, '"n": 1.') },
  { name: 'undefined', status: 400, body: (good) => withMember(good, '"n": undefined') },
  { name: 'a key twice', status: 400, body: (good) => withMember(good, '"a": 1, "a": 1') },
  {
    name: 'a key twice, once escaped',
    status: 400,
    body: (good) => withMember(good, '"ab": 1, "\\u0061b": 1'),
  },
  {
    name: 'a key twice, deep inside',
    status: 400,
    body: (good) => withMember(good, '"a": [{"b": {"c": 1, "c": 2}}]'),
  },
  { name: '__proto__', status: 400, body: (good) => withMember(good, '"__proto__": {"isAdmin": true}') },
  { name: '__proto__, escaped', status: 400, body: (good) => withMember(good, '"\\u005f_proto__": {}') },
  {
    name: '__proto__, deep inside',
    status: 400,
    body: (good) => withMember(good, '"a": [{"__proto__": 1}]'),
  },
  { name: 'half a surrogate pair', status: 400, body: (good) => withMember(good, '"a": "\\ud800"') },
  { name: 'half a surrogate pair in a key', status: 400, body: (good) => withMember(good, '"\\udfff": 1') },
  { name: 'a raw line break in a text', status: 400, body: (good) => withMember(good, '"a": "b\nc"') },
  { name: 'a raw NUL in a text', status: 400, body: (good) => withMember(good, '"a": "b\u0000c"') },
  { name: 'an unknown escape', status: 400, body: (good) => withMember(good, '"a": "\\x41"') },
  {
    name: 'bytes that are no UTF-8',
    status: 400,
    body: () => new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
  },
  {
    name: 'an overlong spelling',
    status: 400,
    body: () => new Uint8Array([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x7d]),
  },
  { name: 'a surrogate as UTF-8', status: 400, body: () => new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]) },
  { name: 'a byte order mark', status: 400, body: (good) => utf8(`\uFEFF${good}`) },
  { name: 'UTF-16', status: 400, body: (good) => Buffer.from(`\uFEFF${good}`, 'utf16le') },
  { name: 'GBK', status: 400, body: () => new Uint8Array([0x7b, 0x22, 0xd4, 0xc2, 0xca, 0xd5, 0x22, 0x7d]) },
  { name: 'gzip without saying so', status: 400, body: () => new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]) },
  { name: 'deep lists', status: 400, body: () => `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
  { name: 'deep objects', status: 400, body: () => `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}` },
  {
    name: 'one level too deep',
    status: 400,
    body: (good) => withMember(good, `"a": ${'['.repeat(64)}${']'.repeat(64)}`),
  },
  { name: 'no content type', status: 415, headers: {} },
  { name: 'text', status: 415, headers: { 'content-type': 'text/plain' } },
  {
    name: 'a form as its content type',
    status: 415,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  { name: 'several parts', status: 415, headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  { name: 'YAML', status: 415, headers: { 'content-type': 'application/yaml' } },
  { name: 'nearly JSON', status: 415, headers: { 'content-type': 'application/jsonp' } },
  { name: 'charset utf-16', status: 415, headers: { 'content-type': `${json}; charset=utf-16` } },
  { name: 'charset gbk', status: 415, headers: { 'content-type': `${json}; charset="gbk"` } },
  { name: 'gzip', status: 415, headers: { 'content-type': json, 'content-encoding': 'gzip' } },
  {
    name: 'brotli over gzip',
    status: 415,
    headers: { 'content-type': json, 'content-encoding': 'gzip, br' },
  },
  { name: 'a body over a mebibyte', status: 413, body: (good) => `${good}${' '.repeat(mebibyte)}` },
  { name: '20 MiB', status: 413, body: (good) => `${good}${' '.repeat(20 * mebibyte)}` },
  { name: 'null', status: 422, body: () => 'null', pointer: '' },
  { name: 'true', status: 422, body: () => 'true', pointer: '' },
  { name: 'a number', status: 422, body: () => '1e400', pointer: '' },
  { name: 'a text', status: 422, body: () => '"{}"', pointer: '' },
  { name: 'an empty list', status: 422, body: () => '[]', pointer: '' },
  { name: 'a list around it', status: 422, body: (good) => `[${good}]`, pointer: '' },
  {
    name: 'an unknown field',
    status: 422,
    body: (good) => withMember(good, '"aplication": 1'),
    pointer: '/aplication',
  },
  {
    name: 'an unknown field with signs',
    status: 422,
    body: (good) => withMember(good, '"a/b~c": 1'),
    pointer: '/a~1b~0c',
  },
  {
    name: 'an unknown field without a name',
    status: 422,
    body: (good) => withMember(good, '"": 1'),
    pointer: '/',
  },
  {
    name: 'constructor',
    status: 422,
    body: (good) => withMember(good, '"constructor": {"prototype": {}}'),
    pointer: '/constructor',
  },
  { name: 'toString', status: 422, body: (good) => withMember(good, '"toString": 1'), pointer: '/toString' },
  {
    name: 'hasOwnProperty',
    status: 422,
    body: (good) => withMember(good, '"hasOwnProperty": null'),
    pointer: '/hasOwnProperty',
  },
  { name: 'then', status: 422, body: (good) => withMember(good, '"then": {}'), pointer: '/then' },
  {
    name: 'a number of 100,000 digits',
    status: 422,
    body: (good) => withMember(good, `"n": ${'9'.repeat(100_000)}`),
    pointer: '/n',
  },
  {
    name: 'a text of half a mebibyte',
    status: 422,
    body: (good) => withMember(good, `"n": "${'x'.repeat(mebibyte / 2)}"`),
    pointer: '/n',
  },
  {
    name: '10,000 unknown fields',
    status: 422,
    body: (good) => withMember(good, manyMembers(10_000)),
    pointer: '/k9999',
  },
  {
    name: 'an idempotency key of two words',
    status: 422,
    headers: { 'content-type': json, 'idempotency-key': 'two words' },
  },
  {
    name: 'an idempotency key too long',
    status: 422,
    headers: { 'content-type': json, 'idempotency-key': 'x'.repeat(300) },
  },
  { name: 'another host', status: 421, headers: { 'content-type': json, host: 'evil.example' } },
  { name: '200 header lines', status: 431, headers: { 'content-type': json, ...manyHeaders(200, 4) } },
  { name: '32 KiB of headers', status: 431, headers: { 'content-type': json, ...manyHeaders(40, 800) } },
  {
    name: 'a header of 20 KiB',
    status: 431,
    headers: { 'content-type': json, 'x-long': 'y'.repeat(20 * 1024) },
  },
]

/** Bad where the body holds an application: its text is the JSON of the request, pointers start at it. */
export const badApplications: readonly Omit<BadInput, 'headers'>[] = [
  ...['application_id', 'policy', 'received_at', 'facts'].map((field) =>
    changed(`without ${field}`, `/${field}`, (request) => {
      delete request[field]
    }),
  ),
  ...['application_id', 'policy', 'received_at', 'facts', 'subject', 'episodes', 'consents'].map((field) =>
    changed(`null as ${field}`, `/${field}`, (request) => {
      request[field] = null
    }),
  ),
  ...['application_id', 'policy', 'received_at', 'facts', 'subject'].map((field) =>
    changed(`a list as ${field}`, `/${field}`, (request) => {
      request[field] = [1]
    }),
  ),
  ...['episodes', 'consents'].map((field) =>
    changed(`an object as ${field}`, `/${field}`, (request) => {
      request[field] = {}
    }),
  ),
  field('an empty id', 'application_id', ''),
  field('an id with a line break', 'application_id', 'a\nb'),
  field('an id with a NUL', 'application_id', 'a\u0000b'),
  field('an id of 10,000 letters', 'application_id', 'x'.repeat(10_000)),
  field('an id that leads elsewhere', 'application_id', '../../etc/passwd'),
  field('an unknown policy', 'policy', 'us-consumers'),
  field('a path as a policy', 'policy', '../us-consumer'),
  field('a name of every object as a policy', 'policy', 'constructor'),
  field('a day that does not exist', 'received_at', '2026-02-30T00:00:00Z'),
  field('the 29th of February of no leap year', 'received_at', '2025-02-29T00:00:00Z'),
  field('an hour that does not exist', 'received_at', '2026-05-01T24:30:00Z'),
  field('a time without an offset', 'received_at', '2026-05-01T14:03:00'),
  field('a day without a time', 'received_at', '2026-05-01'),
  field('seconds since 1970 as a time', 'received_at', 1_780_000_000),
  field('a time in words', 'received_at', 'yesterday'),
  field('a time in the future', 'received_at', '2026-06-01T15:00:00Z'),
  field('a time in the far future', 'received_at', '9998-06-01T14:03:00Z'),
  field('a year of five digits', 'received_at', '+12026-06-01T14:03:00Z'),
  field('a time in other digits', 'received_at', '２０２６-05-01T00:00:00Z'),
  fact('an undeclared fact', 'monthly_incom', 1),
  fact('a name of every object as a fact', 'constructor', 1),
  fact('a fact in capitals', 'Monthly_Income', 1),
  fact('a fact with a point', 'monthly.income', 1),
  fact('a derived fact', 'debt_to_income', 0.1),
  fact('words for an amount', 'monthly_income', 'four thousand'),
  fact('NaN as text for an amount', 'monthly_income', 'NaN'),
  fact('Infinity as text for an amount', 'monthly_income', 'Infinity'),
  fact('a truth for an amount', 'monthly_income', true),
  fact('an empty list for an amount', 'monthly_income', []),
  fact('an empty object for an amount', 'monthly_income', {}, '/value'),
  fact('an amount too large', 'monthly_income', '@1e400@'),
  fact('an amount too small', 'monthly_income', '@1e-400@'),
  fact('an amount of 40 digits', 'monthly_income', `@${'1'.repeat(40)}@`),
  fact('an amount of 100,000 digits', 'monthly_income', `@${'1'.repeat(100_000)}@`),
  fact('confidence 1.2', 'monthly_income', { value: 1, confidence: 1.2 }, '/confidence'),
  fact('confidence -0.1', 'monthly_income', { value: 1, confidence: -0.1 }, '/confidence'),
  fact('confidence "0.9"', 'monthly_income', { value: 1, confidence: '0.9' }, '/confidence'),
  fact('confidence 1e400', 'monthly_income', { value: 1, confidence: '@1e400@' }, '/confidence'),
  fact('confidence null', 'monthly_income', { value: 1, confidence: null }, '/confidence'),
  fact('a reading without a value', 'monthly_income', { confidence: 0.9 }, '/value'),
  fact('a reading with an unknown field', 'monthly_income', { value: 1, sauce: 'bureau' }, '/sauce'),
  fact('an unknown source', 'monthly_income', { value: 1, source: 'nobody' }, '/source'),
  fact('an unknown method', 'monthly_income', { value: 1, method: 'guess' }, '/method'),
  fact('another currency', 'monthly_income', { value: 4000, unit: 'EUR' }, '/unit'),
  fact(
    'observed in the future',
    'monthly_income',
    { value: 1, observed_at: '2027-01-01T00:00:00Z' },
    '/observed_at',
  ),
  fact(
    'observed on no day',
    'monthly_income',
    { value: 1, observed_at: '2026-04-31T00:00:00Z' },
    '/observed_at',
  ),
  fact('a bad reading among several', 'monthly_income', [{ value: 1 }, { value: 'x' }], '/1/value'),
  fact(
    '51 readings',
    'monthly_income',
    Array.from({ length: 51 }, () => 1),
  ),
  fact('an unknown value of an enumeration', 'product', 'spaceship'),
  fact('a text of 20,000 letters', 'product', 'x'.repeat(20_000)),
  fact('a NUL in a value', 'product', 'personal\u0000loan'),
  fact('a truth in words', 'lender_licensed', 'yes'),
  fact('0 for a truth', 'lender_licensed', 0),
  fact('a day that does not exist as a fact', 'consumer_report_date', '2026-02-30'),
  fact('half a month', 'term_months', 1.5),
  changed('10,000 facts', '/facts', (request) => {
    request.facts = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`fact_${index}`, index]))
  }),
  episode('an episode of an unknown type', { type: 'alien' }, '/episodes/0/type'),
  episode('an episode without a time', { occurred_at: undefined }, '/episodes/0/occurred_at'),
  episode(
    'an episode that ends before it begins',
    { valid_until: '2001-01-01T00:00:00Z' },
    '/episodes/0/valid_until',
  ),
  episode('a list as an attribute', { attributes: { days: [1] } }, '/episodes/0/attributes/days'),
  episode('an episode with an unknown field', { kind: 'x' }, '/episodes/0/kind'),
  changed('a number as an episode', '/episodes/0', (request) => {
    request.episodes = [5]
  }),
  changed('1,001 episodes', '/episodes', (request) => {
    request.episodes = Array.from({ length: 1001 }, () => goodEpisode)
  }),
  changed('episodes of nobody', '/subject', (request) => {
    delete request.subject
    request.episodes = [goodEpisode]
  }),
  changed('a consent that is no name', '/consents/1', (request) => {
    request.consents = ['credit_bureau', 'Credit Bureau']
  }),
  changed('a subject without an id', '/subject/id', (request) => {
    request.subject = {}
  }),
  changed('a number as a subject', '/subject', (request) => {
    request.subject = 42
  }),
]

type Request = Record<string, unknown>

const goodEpisode = { type: 'credit_overdue', occurred_at: '2026-04-30T00:00:00Z' }

/** Numbers that JavaScript would change stand between `@`s. */
function changed(
  name: string,
  pointer: string,
  change: (request: Request) => void,
): Omit<BadInput, 'headers'> {
  const body = (good: string): string => {
    const request = JSON.parse(good) as Request
    change(request)
    return JSON.stringify(request).replaceAll(/"@([^"@]+)@"/g, '$1')
  }
  return { name, status: 422, body, pointer }
}

function field(name: string, of: string, value: unknown): Omit<BadInput, 'headers'> {
  return changed(name, `/${of}`, (request) => {
    request[of] = value
  })
}

function fact(name: string, of: string, value: unknown, below = ''): Omit<BadInput, 'headers'> {
  return changed(name, `/facts/${of}${below}`, (request) => {
    request.facts = { ...(request.facts as object), [of]: value }
  })
}

function episode(name: string, change: object, pointer: string): Omit<BadInput, 'headers'> {
  return changed(name, pointer, (request) => {
    request.subject = { id: 'cust-42' }
    request.episodes = [{ ...goodEpisode, ...change }]
  })
}

function manyMembers(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}": 1`).join(', ')
}

function manyHeaders(count: number, length: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'y'.repeat(length)]))
}
