import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AppliedMigration } from '../../src/domain/change-set.ts'
import { Failure } from '../../src/errors.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import { checksumOf, pendingMigrations, planMigrations, prepareMigration } from '../../src/graph/migrate.ts'
import { parseMigration } from '../../src/graph/parse-migration.ts'

const base = `migration: V0001
title: Base
author: an_author
zone: America/New_York
operations:
  - {op: add_event_type, id: dti_high, text: {en: Debts are high, zh: 负债过高}}
  - {op: add_event_type, id: credit_rejection, text: {en: Rejection, zh: 拒绝}}
  - op: add_edge
    id: e-1
    from: dti_high
    relation: CAUSES
    to: credit_rejection
    strength: 0.5
    confidence: 0.95
    source: lender/credit-policy-7
    valid_from: 2026-01-01
`
const path = 'migrations/V0001__base.yaml'

describe('a migration file', () => {
  it('is read as its change set', () => {
    const { changeSet } = parseMigration(path, base)
    assert.equal(changeSet.operations.length, 3)
    assert.equal(changeSet.zone, 'America/New_York')
  })
  const refused: [string, string, string, RegExp][] = [
    [
      'a field of another kind',
      base.replace('title: Base', 'title: 1.10'),
      ':2:8',
      /expected text; got `1.1`: quote it/,
    ],
    ['an unknown field', `${base}extra: 1\n`, ':17:8', /no field `extra`/],
    ['an unknown operation', base.replace('op: add_edge', 'op: ad_edge'), ':8:9', /one of `add_event_type`/],
    ['a strength over 1', base.replace('0.5', '1.5'), ':13:15', /at most 1; got `1.5`/],
    ['a strength of 0', base.replace('0.5', '0'), ':13:15', /more than 0; got `0`/],
    ['a strength that is no number', base.replace('0.5', '.nan'), ':13:15', /got `NaN`/],
    ['a day that does not exist', base.replace('2026-01-01', '2026-02-30'), ':16:17', /existing day/],
    [
      'a field left out',
      base.replace('    strength: 0.5\n', ''),
      ':8:5',
      /`strength` is missing; expected a number/,
    ],
    [
      'a key twice',
      base.replace('    to:', '    from: x\n    to:'),
      ':12:5',
      /`from` stands at migrations\/V0001__base.yaml:10:5 already/,
    ],
    [
      'another number than its name',
      base.replace('V0001', 'V0002'),
      ':1:12',
      /name says `V0001`; got `V0002`/,
    ],
    ['no YAML', base.replace('[', '').replace('{op', '{{op'), '', /./],
    ['a second document', `${base}---\na: 1\n`, ':17:1', /second document/],
    ['an unknown tag', base.replace('title: Base', 'title: !!js/function x'), ':2:8', /tag/],
    ['nesting without end', `${'['.repeat(50_000)}`, '', /levels deep/],
    ['nesting that is closed', `a: ${'['.repeat(100)}${']'.repeat(100)}\n`, ':1:', /levels deep/],
    ['nothing', '', ':1:1', /./],
  ]
  for (const [name, text, at, why] of refused) {
    it(`with ${name} is refused at its place`, () => {
      const [fault] = faultsOf(() => parseMigration(path, text), 'GRAPH_FILE_INVALID')
      assert.ok(fault?.at.startsWith(path) && fault.at.includes(at), `${fault?.at} is not at ${at}`)
      assert.match(fault?.why ?? '', why)
    })
  }
  it('approved by its author, however written, is refused; by another or not yet, it is read', () => {
    for (const name of ['an_author', 'An_Author', ' an_author ', '"an_author\\t"', 'ａｎ_author']) {
      const text = base.replace('zone:', `approved_by: ${name}\nzone:`)
      const [fault] = faultsOf(() => parseMigration(path, text), 'GRAPH_FILE_INVALID')
      assert.ok(fault?.at.startsWith(`${path}:4:1`), fault?.at)
      assert.match(fault?.why ?? '', /other than the author, `an_author`; got /)
    }
    const approved = base.replace('zone:', 'approved_by: another\nzone:')
    assert.equal(parseMigration(path, approved).changeSet.approved_by, 'another')
  })
  it('with an alias bomb is refused', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]',
      'c: &c [*b,*b,*b,*b,*b,*b,*b,*b]',
      'd: [*c,*c,*c,*c]',
    ].join('\n')
    assert.match(faultsOf(() => parseMigration(path, bomb), 'GRAPH_FILE_INVALID')[0]?.why ?? '', /alias/i)
  })
  it('names everything wrong at once', () => {
    const text = base.replace('0.5', '1.5').replace('0.95', '2').replace('title: Base\n', '')
    assert.equal(faultsOf(() => parseMigration(path, text), 'GRAPH_FILE_INVALID').length, 3)
  })
})

describe('the plan of migrations', () => {
  const [first, second] = [
    { path, text: base },
    { path: 'migrations/V0002__more.yaml', text: base.replace('V0001', 'V0002') },
  ]
  const applied: AppliedMigration = {
    migration: 'V0001',
    title: 'Base',
    checksum: checksumOf(base),
    applied_at: '2026-01-01T00:00:00.000Z',
    last_sequence: 3,
  }
  it('the checksum does not see line ends or a byte order mark, and sees everything else', () => {
    assert.equal(checksumOf(`\uFEFF${base.replaceAll('\n', '\r\n')}`), checksumOf(base))
    assert.notEqual(checksumOf(base.replace('0.5', '0.51')), checksumOf(base))
    assert.match(checksumOf(base), /^sha256:[0-9a-f]{64}$/)
  })
  it('what is not applied is pending, by number', () => {
    const numbers = (done: AppliedMigration[]) =>
      pendingMigrations(planMigrations([second, first], done)).map(({ migration }) => migration)
    assert.deepEqual(numbers([]), ['V0001', 'V0002'])
    assert.deepEqual(numbers([applied]), ['V0002'])
  })
  it('an applied one that was edited is refused with both checksums', () => {
    const edited = { path, text: `${base}# a note\n` }
    const plan = planMigrations([edited], [applied])
    const [fault] = faultsOf(() => pendingMigrations(plan), 'GRAPH_MIGRATION_EDITED')
    assert.ok(fault?.why.includes(applied.checksum) && fault.why.includes(checksumOf(edited.text)))
  })
  it('an applied one without a file is refused', () => {
    const plan = planMigrations([second], [applied])
    assert.match(faultsOf(() => pendingMigrations(plan), 'GRAPH_MIGRATION_EDITED')[0]?.why ?? '', /gone/)
  })
  it('one that comes too late is refused', () => {
    const later = { ...applied, migration: 'V0002', checksum: checksumOf(second.text) }
    const plan = planMigrations([first, second], [later])
    assert.match(
      faultsOf(() => pendingMigrations(plan), 'GRAPH_FILE_INVALID')[0]?.why ?? '',
      /next free number/,
    )
  })
  it('a number left out before one that waits is refused, at every gap', () => {
    const file = (number: number) => {
      const name = `V${String(number).padStart(4, '0')}`
      return { path: `migrations/${name}__x.yaml`, text: base.replace('V0001', name) }
    }
    const whys = (numbers: number[], done: AppliedMigration[]) =>
      faultsOf(() => planMigrations(numbers.map(file), done), 'GRAPH_FILE_INVALID').map(({ why }) => why)
    assert.match(whys([1, 3], []).join(), /^expected `V0002` next; got `V0003`/)
    assert.match(whys([3], [applied]).join(), /^expected `V0002` next; got `V0003`/)
    assert.match(whys([2], []).join(), /^expected `V0001` next; got `V0002`/)
    assert.equal(whys([2, 3, 6, 9], [applied]).length, 2)
    assert.match(whys([10_000], []).join(), /expected a name/)
    // What was applied once stays as it was, and a lost file is told as such.
    const third = { ...applied, migration: 'V0003' }
    assert.deepEqual(planMigrations([], [applied, third]).missing, [applied, third])
    assert.equal(planMigrations([file(4)], [applied, third]).pending.length, 1)
  })
  it('two files of one number are refused', () => {
    const files = [first, { path: 'migrations/V0001__other.yaml', text: base }]
    assert.match(
      faultsOf(() => planMigrations(files, []), 'GRAPH_FILE_INVALID')[0]?.why ?? '',
      /V0001__base.yaml already/,
    )
  })
})

describe('a prepared migration', () => {
  it('continues the log where the knowledge stands, and folds to what it says', () => {
    const [file] = planMigrations([{ path, text: base }], []).pending
    assert.ok(file)
    const prepared = prepareMigration(file, foldKnowledge([]), '2026-02-01T00:00:00.000Z')
    assert.deepEqual(
      prepared.operations.map(({ sequence }) => sequence),
      [1, 2, 3],
    )
    assert.equal(prepared.migration.last_sequence, 3)
    assert.equal(prepared.migration.checksum, checksumOf(base))
    const knowledge = foldKnowledge(prepared.operations)
    assert.equal(knowledge.edges.get('e-1')?.versions[0]?.valid.fromMs, Date.parse('2026-01-01T05:00:00Z'))
    assert.deepEqual(knowledge.position, { migration: 'V0001', sequence: 3 })
  })
  it('that does not fit is refused at file, line and column', () => {
    const [file] = planMigrations([{ path, text: base.replace('to: credit', 'to: debit') }], []).pending
    assert.ok(file)
    const [fault] = faultsOf(
      () => prepareMigration(file, foldKnowledge([]), '2026-02-01T00:00:00Z'),
      'GRAPH_FILE_INVALID',
    )
    assert.deepEqual(fault, { at: `${path}:12:9`, why: 'there is no event type `debit_rejection`' })
  })
})

function faultsOf(act: () => unknown, code: Failure['code']) {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.code, code)
    return error.faults
  }
  return assert.fail('expected a failure')
}
