import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { ARCHIVE, CORRECTION, MACHINES, type Machine } from './table.ts'

/*
 * Triggers that only databases of tests have. A change that `table.ts` does not have is refused, with an error that names it. A request
 * may swallow the error, so it is also noted where a rollback does not reach: in the value of a sequence.
 */

type Query = (text: string) => Promise<readonly object[]>

const NOTED = 'model.refused'
/** Three days, after which keys are deleted. */
const KEPT = "interval '72 hours'"

/** Puts the triggers into a migrated database. Again and again, if need be. */
export async function guard(query: Query): Promise<void> {
  await query(GUARD)
}

/**
 * What was refused since the last time, such as `payment: authorization_voided → capture_succeeded`: the latest, if there was more.
 * Databases without a guard refuse nothing.
 */
export async function refusedMove(query: Query): Promise<string | undefined> {
  const [noted] = (await query(
    `select last_value::int as code from pg_sequences
     where schemaname || '.' || sequencename = '${NOTED}' and last_value is not null`,
  )) as { code: number }[]
  if (!noted) return undefined
  await query(`select setval('${NOTED}', 1, false)`)
  return told(noted.code)
}

/** Writes what no move leads to: a row as a backup may have it, or a time that has to pass. No trigger runs. */
export function byHand(db: Db, ...statements: readonly RawBuilder<unknown>[]): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await writeByHand(tx)
    for (const statement of statements) await statement.execute(tx)
  })
}

const NOTHING = 'nothing'

/** The same for the rest of a transaction. */
export async function writeByHand(tx: Db): Promise<void> {
  await sql`set local session_replication_role = replica`.execute(tx)
}

function placesOf({ states }: Machine): string[] {
  return [NOTHING, ...Object.keys(states)]
}

/** A machine and two of its states, in one number. A state that the table does not have is 99. */
function told(code: number): string {
  const machine = MACHINES[Math.floor(code / 10_000) - 1]
  if (!machine) return `a move of number ${code}`
  const name = (place: number) => placesOf(machine)[place] ?? 'what the table does not have'
  return `${machine.name}: ${name(Math.floor(code / 100) % 100)} → ${name(code % 100)}`
}

/** The pairs that a machine has, for one cause or for all others. */
function pairs({ moves }: Machine, isWanted: (by: string) => boolean): string {
  const wanted = moves
    .filter(({ by }) => isWanted(by))
    .map(({ from, to }) => `${from ?? NOTHING} → ${to ?? NOTHING}`)
  return `array[${[...new Set(wanted)].map((pair) => `'${pair}'`).join(', ')}]::text[]`
}

const isUsual = (by: string) => by !== CORRECTION && by !== ARCHIVE

const JUDGE = `
create or replace function model.judge(machine text, place_before text, place_after text, subject text, hand text default '')
returns void language plpgsql as $$
declare
  pair constant text := coalesce(place_before, '${NOTHING}') || ' → ' || coalesce(place_after, '${NOTHING}');
  code int;
begin
  case machine
  ${MACHINES.map(
    (machine, index) => `when '${machine.name}' then
    if pair = any(${pairs(machine, isUsual)})
      or (hand = '${CORRECTION}' and pair = any(${pairs(machine, (by) => by === CORRECTION)}))
      or (hand = '${ARCHIVE}' and pair = any(${pairs(machine, (by) => by === ARCHIVE)})) then return; end if;
    code := ${(index + 1) * 10_000}
      + 100 * (coalesce(array_position(${listOf(machine)}, coalesce(place_before, '${NOTHING}')), 100) - 1)
      + coalesce(array_position(${listOf(machine)}, coalesce(place_after, '${NOTHING}')), 100) - 1;`,
  ).join('\n  ')}
  end case;
  perform setval('${NOTED}', code);
  raise exception 'the model has no such move of a %: % (%)', machine, pair, subject using errcode = 'SY001';
end $$;`

function listOf(machine: Machine): string {
  return `array[${placesOf(machine)
    .map((place) => `'${place}'`)
    .join(', ')}]`
}

/** This transaction brings payments back from an archive, or takes them there. */
const OF_ARCHIVE = `(case when exists (select from archives where xmin = pg_current_xact_id()::xid) then '${ARCHIVE}' else '' end)`
/** This transaction says in the payment's history that a merchant has corrected it. */
const OF_CORRECTION = `(case when exists (
    select from transaction_events as e
    where e.merchant_account_id = new.merchant_account_id and e.transaction_id = new.id
      and e.name = 'transaction-modified-event' and e.xmin = pg_current_xact_id()::xid)
  then '${CORRECTION}' else '' end)`

function trigger(name: string, when: string, statements: string): string {
  return `
create or replace function model.${name}() returns trigger language plpgsql as $$
begin
  ${statements}
  return null;
end $$;
drop trigger if exists model_${name} on ${when.replace(/.* on (\w+).*/s, '$1')};
create ${when.replace(/^after/, `${when.includes('deferred') ? 'constraint ' : ''}trigger model_${name} after`)}
  execute function model.${name}();`
}

/** At the end of the transaction: only then is it known who has changed the row. */
const AT_COMMIT = 'deferrable initially deferred for each row'

const PAYMENT = [
  trigger(
    'payment_made',
    `after insert on transactions ${AT_COMMIT}`,
    `perform model.judge('payment', null, new.status, new.id::text, ${OF_ARCHIVE});`,
  ),
  trigger(
    'payment_moved',
    `after update on transactions ${AT_COMMIT} when (old.status <> new.status)`,
    `perform model.judge('payment', old.status, new.status, new.id::text, ${OF_CORRECTION});`,
  ),
  trigger(
    'payment_gone',
    `after delete on transactions ${AT_COMMIT}`,
    `perform model.judge('payment', old.status, null, old.id::text, ${OF_ARCHIVE});`,
  ),
]

/** Nothing but an answer, which also says when the row was changed, makes a time earlier. */
const ATTEMPT = [
  trigger(
    'attempt_made',
    `after insert on attempts ${AT_COMMIT}`,
    `perform model.judge('attempt', null, new.state, new.id::text, ${OF_ARCHIVE});
  perform model.judge('lease of an attempt', null, case when new.due_at is null then 'over' else 'held' end, new.id::text, ${OF_ARCHIVE});`,
  ),
  trigger(
    'attempt_moved',
    'after update on attempts for each row when (old.state <> new.state)',
    "perform model.judge('attempt', old.state, new.state, new.id::text);",
  ),
  trigger(
    'attempt_taken',
    'after update on attempts for each row when (old.due_at is distinct from new.due_at)',
    `perform model.judge('lease of an attempt', case when old.due_at is null then 'over' else 'held' end,
    case when new.due_at is null then 'over'
      when new.due_at < old.due_at and new.updated_at = old.updated_at and new.state = old.state
        and new.may_complete = old.may_complete then 'held for less'
      else 'held' end, new.id::text);`,
  ),
  trigger(
    'attempt_gone',
    `after delete on attempts ${AT_COMMIT}`,
    `perform model.judge('attempt', old.state, null, old.id::text, ${OF_ARCHIVE});
  perform model.judge('lease of an attempt', case when old.due_at is null then 'over' else 'held' end, null, old.id::text, ${OF_ARCHIVE});`,
  ),
]

/** The state of a key, of which `row` is the name. */
export function keyState(row: string): string {
  return `(case when ${row}.status is null then case when ${row}.begun is null then 'claimed' else 'begun' end
    when ${row}.lasting_response is null then 'answered' else 'answered with a secret' end)`
}

/**
 * Whoever takes a key over writes the end of its lease a minute from now, by its own clock: so the row tells whether the
 * former lease had ended then.
 */
const KEY = [
  trigger(
    'key_made',
    'after insert on idempotency_keys for each row',
    `perform model.judge('key', null, ${keyState('new')}, new.path);
  perform model.judge('lease of a key', null, case when new.status is null then 'held' else 'over' end, new.path);`,
  ),
  trigger(
    'key_moved',
    `after update on idempotency_keys for each row when (
    (old.status, old.begun, old.response, old.lasting_response) is distinct from (new.status, new.begun, new.response, new.lasting_response))`,
    `perform model.judge('key', ${keyState('old')},
    case when old.status is null or new.response = old.lasting_response then ${keyState('new')} else 'another answer' end, new.path);`,
  ),
  trigger(
    'key_leased',
    `after update on idempotency_keys for each row when (
    old.fence <> new.fence or old.leased_until <> new.leased_until or (old.status is null) <> (new.status is null))`,
    `perform model.judge('lease of a key',
    case when old.status is not null then 'over'
      when old.fence = new.fence then 'held'
      when new.status is null and old.leased_until <= new.leased_until - interval '60 seconds' then 'ended'
      else 'held by another' end,
    case when new.status is not null then 'over' when old.fence <> new.fence then 'held' else 'ended' end, new.path);`,
  ),
  trigger(
    'key_gone',
    'after delete on idempotency_keys for each row',
    `perform model.judge('key', case when ${keyState('old')} = 'begun' and old.created_at > clock_timestamp() - ${KEPT}
      then 'begun a moment ago' else ${keyState('old')} end, null, old.path);
  perform model.judge('lease of a key', case when old.status is null then 'held' else 'over' end, null, old.path);`,
  ),
]

const GUARD = `
set client_min_messages = warning;
create schema if not exists model;
create sequence if not exists ${NOTED};
select setval('${NOTED}', 1, false);
${[JUDGE, ...PAYMENT, ...ATTEMPT, ...KEY].join('\n')}
reset client_min_messages;`
