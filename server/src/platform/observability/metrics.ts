import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import manifest from '../../../../package.json' with { type: 'json' }

export type Metrics = ReturnType<typeof createMetrics>

type RequestMeasure = {
  readonly operation: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}

/** Rows that are written beside the requests they tell of, since the start of the process. */
type Counts = () => { readonly written: number; readonly lost: number }

type Family = { readonly name: string; readonly type: string; readonly labels: readonly string[] }

type DecidedAttempt = {
  readonly kind: string
  readonly service_id: string
  readonly state: string
  readonly error_code: string | null
}

type ProviderMeasure = {
  readonly connector: string
  readonly act: string
  readonly result: string
  readonly seconds: number
}

/** As a pool of `pg` tells it. */
type PoolState = {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { readonly max?: number | undefined }
}

/** One of several processes of the service. A scrape reaches any of them, and shows all. */
type Member = {
  /** The label by which they are told apart. */
  readonly worker: string
  /** What `renderOwn` says in all of them. */
  readonly ofAll?: () => Promise<readonly string[]>
}

/** The state of settlement reports, over all payment services. */
export type ReportState = {
  /** Payment services that could not be asked, or whose files could not be read. */
  readonly failing: number
  readonly refused: number
  /** Files that were applied in part, and that providers no longer deliver. */
  readonly abandoned: number
  readonly unmatched: number
  /** How long ago the newest file was published. Null if there is none. */
  readonly ageSeconds: number | null
}

type ReplicaState = {
  /** Null if it is not known. */
  readonly lagMs: number | null
  /** Why it is not used. */
  readonly reason: string | null
  /** Lists by the server that answered them. */
  readonly counts: Readonly<Record<string, number>>
}

type GroupState = {
  readonly running: number
  /** By name of the process. */
  readonly restarts: Readonly<Record<string, number>>
}

/** What is measured of the process. Each collector watches it for good, so there is one, also for several services. */
let ofProcess: Registry | undefined

function measureProcess(): Registry {
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

type Source = Pick<Registry, 'metrics' | 'getMetricsAsArray'>

export function createMetrics(member?: Member) {
  const registry = new Registry()
  const own = ofProcess ?? measureProcess()
  if (member) for (const each of [own, registry]) each.setDefaultLabels({ worker: member.worker })
  const make = familiesIn(registry)
  const measured = { ...requestMetrics(make), ...logMetrics(make), ...attemptMetrics(make) }
  make
    .gauge('switchyard_build_info', 'Always 1, with the version of the program', ['version'])
    .set({ version: manifest.version }, 1)
  const included: Source[] = []
  /** What is measured in this process alone. */
  const renderOwn = () => textOf([own, registry])
  return {
    ...measured,
    observeReports: reportGauges(make),
    ...watches(make),
    /** Adds what another source measures. It is the same in all processes. */
    include: (source: Source) => void included.push(source),
    renderOwn,
    render: async () => {
      if (!member?.ofAll) return textOf([own, registry, ...included])
      const [ofAll, shared] = await Promise.all([member.ofAll(), textOf(included)])
      return mergeFamilies([...ofAll, shared])
    },
    /** Our own families, with their labels. */
    families: () => [registry, ...included].flatMap((source) => source.getMetricsAsArray().map(familyOf)),
    contentType: registry.contentType,
  }
}

type Make = ReturnType<typeof familiesIn>

/** Makes families. Those with a `read` are asked for their values at each scrape. */
function familiesIn(registry: Registry) {
  const registers = [registry]
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
    /** Null: it is not known now, and is not shown. */
    readGauge: (name: string, help: string, read: () => number | null | Promise<number>) =>
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await read()
          if (value === null) this.remove()
          else this.set(value)
        },
      }),
    readGauges: (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>) =>
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          for (const [value, count] of Object.entries(read())) this.set({ [label]: value }, count)
        },
      }),
    readCounters: (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>) =>
      new Counter({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count)
        },
      }),
  }
}

function requestMetrics({ counter, histogram }: Make) {
  const requests = histogram(
    'switchyard_request_duration_seconds',
    'Time from the first byte of a request to the end of its answer',
    ['operation', 'method', 'status'],
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  const jobs = counter('switchyard_job_runs_total', 'Runs of background jobs', ['job_name', 'outcome'])
  const deliveries = counter(
    'switchyard_webhook_deliveries_total',
    'Attempts to deliver a webhook that succeeded or failed, and deliveries that were given up',
    ['result', 'because'],
  )
  const lag = histogram(
    'switchyard_webhook_lag_seconds',
    'Time from an event to the first attempt to deliver it',
    [],
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
  )
  return {
    observeRequest: ({ operation, method, status, seconds }: RequestMeasure) =>
      requests.observe({ operation, method, status: String(status) }, seconds),
    countJob: (job: string, outcome: 'succeeded' | 'failed') => jobs.inc({ job_name: job, outcome }),
    /** `because` says why a delivery was given up. */
    countDelivery: (result: 'delivered' | 'failed' | 'parked', because = '') =>
      deliveries.inc({ result, because }),
    observeDeliveryLag: (seconds: number) => lag.observe(seconds),
  }
}

function logMetrics({ gauge }: Make) {
  const auditHead = gauge(
    'switchyard_audit_head_position',
    'Position of the last link of the audit log that this process made or saw',
  )
  const auditRefused = gauge(
    'switchyard_audit_sealing_refused',
    '1 when this process no longer seals the audit log, because a link that it knows is missing',
  )
  return {
    /** The length of the audit chain, as far as this process knows, and whether it refuses to seal more. */
    observeAuditLog: ({
      position,
      isRefused,
    }: {
      readonly position: number
      readonly isRefused: boolean
    }) => {
      auditHead.set(position)
      auditRefused.set(isRefused ? 1 : 0)
    },
  }
}

/** More services than an installation has in practice. Each costs memory here and in Prometheus. */
const SERVICES_MAX = 200
const CODES_MAX = 100

function attemptMetrics({ counter, gauge, histogram }: Make) {
  const unresolvable = gauge(
    'switchyard_attempts_unresolvable',
    'Undecided attempts that payment services cannot be asked about any more',
    ['because'],
  )
  const attempts = counter(
    'switchyard_attempts_total',
    'Decided attempts at services. Those with act="authorize" are payments.',
    ['act', 'service_id', 'outcome', 'code'],
  )
  const providers = histogram(
    'switchyard_provider_duration_seconds',
    'Time that providers took to answer; unknown: no answer in time, or none that could be read',
    ['connector', 'act', 'result'],
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
  )
  const [service, code] = [boundedTo(SERVICES_MAX), boundedTo(CODES_MAX)]
  return {
    /** Open attempts that no inquiry can resolve any more. */
    observeUnresolvable: ({ forgotten, untold }: { readonly forgotten: number; readonly untold: number }) => {
      unresolvable.set({ because: 'forgotten' }, forgotten)
      unresolvable.set({ because: 'untold' }, untold)
    },
    /** An attempt at a service that is decided, of a payment or of anything else. */
    countAttempt: ({ kind, service_id, state, error_code }: DecidedAttempt) =>
      attempts.inc({
        act: kind,
        service_id: service(service_id),
        outcome: state,
        code: code(error_code ?? ''),
      }),
    /** How long a provider took. */
    observeProvider: ({ connector, act, result, seconds }: ProviderMeasure) =>
      providers.observe({ connector, act, result }, seconds),
  }
}

/** Lets so many values of a label pass. Further ones become `other`, so that no caller can fill the memory. */
function boundedTo(max: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= max) return 'other'
    known.add(value)
    return value
  }
}

function reportGauges({ gauge }: Make) {
  const failing = gauge(
    'switchyard_report_services_failing',
    'Payment services that could not be asked for reports, or whose files could not be read',
  )
  const refused = gauge(
    'switchyard_report_files_refused',
    'Report files that were refused in the last 30 days',
  )
  const abandoned = gauge(
    'switchyard_report_files_abandoned',
    'Report files that were applied in part, and that cannot be read to their end',
  )
  const unmatched = gauge('switchyard_report_lines_unmatched', 'Lines of report files that fit no payment')
  const age = gauge('switchyard_report_file_age_seconds', 'Time since the newest report file was published')
  /** What payment services report about settlements. */
  return (state: ReportState) => {
    failing.set(state.failing)
    refused.set(state.refused)
    abandoned.set(state.abandoned)
    unmatched.set(state.unmatched)
    if (state.ageSeconds !== null) age.set(state.ageSeconds)
  }
}

/** What only some processes have is measured once it is watched. */
function watches(make: Make) {
  const { readGauge, readCounters } = make
  return {
    /** Shows how far the machine's clock is ahead of the database's. */
    watchClock: (differenceMs: () => number) =>
      readGauge(
        'switchyard_clock_difference_seconds',
        "How far this machine's clock is ahead of the database's; negative if it is behind",
        () => differenceMs() / 1000,
      ),
    /** Asks at each scrape whether requests can be answered. */
    watchReadiness: (isReady: () => Promise<boolean>) =>
      readGauge(
        'switchyard_ready',
        '1 when /health/ready is 200; 0 when the database is away, read-only or full, or the process stops',
        async () => Number(await isReady()),
      ),
    watchExchanges: (counts: Counts) =>
      readCounters(
        'switchyard_exchanges_total',
        'Exchanges with providers that were kept for merchants, and those that were lost',
        'result',
        counts,
      ),
    watchApiLogs: (counts: Counts) =>
      readCounters(
        'switchyard_api_logs_total',
        'Requests that were written to the request log, and those that were lost',
        'result',
        counts,
      ),
    watchSpans: (counts: () => { readonly sent: number; readonly dropped: number }) =>
      readCounters(
        'switchyard_trace_spans_total',
        'Spans of traces that were sent to the collector, and those that were dropped',
        'result',
        counts,
      ),
    watchPools: (pools: Readonly<Record<string, PoolState>>) => poolGauges(make, pools),
    /** How far the replica is behind, and what it answers. */
    watchReplica: (replica: ReplicaState) => {
      readGauge(
        'switchyard_replica_lag_seconds',
        'How far the replica is behind the primary; missing while that is not known',
        () => (replica.lagMs === null ? null : replica.lagMs / 1000),
      )
      readGauge(
        'switchyard_replica_used',
        '1 if lists are read from the replica; 0 if it is away or too far behind',
        () => (replica.reason === null ? 1 : 0),
      )
      readCounters(
        'switchyard_replica_reads_total',
        'Lists that could be read from the replica, by the server that answered',
        'server',
        () => replica.counts,
      )
    },
    /** The processes of the service, as their parent knows them. */
    watchProcesses: (group: GroupState) => {
      readGauge(
        'switchyard_processes_running',
        'Processes of this service that are ready',
        () => group.running,
      )
      readCounters(
        'switchyard_process_restarts_total',
        'Processes of this service that ended unexpectedly and were started again',
        'ended',
        () => group.restarts,
      )
    },
  }
}

function poolGauges({ readGauges }: Make, pools: Readonly<Record<string, PoolState>>): void {
  const ofEach = (name: string, help: string, read: (pool: PoolState) => number) =>
    readGauges(name, help, 'pool', () =>
      Object.fromEntries(Object.entries(pools).map(([pool, state]) => [pool, read(state)])),
    )
  ofEach(
    'switchyard_database_connections_used',
    'Connections to the database that are in use',
    ({ totalCount, idleCount }) => totalCount - idleCount,
  )
  ofEach(
    'switchyard_database_connections_max',
    'Connections to the database that this process may open',
    ({ options }) => options.max ?? 0,
  )
  ofEach(
    'switchyard_database_connections_waited_for',
    'Requests and jobs that wait for a connection to the database',
    ({ waitingCount }) => waitingCount,
  )
}

async function textOf(sources: readonly Pick<Registry, 'metrics'>[]): Promise<string> {
  const texts = await Promise.all(sources.map((source) => source.metrics()))
  return texts.join('\n')
}

/** Prometheus wants all values of a family in one place. */
function mergeFamilies(texts: readonly string[]): string {
  const families = new Map<string, string[]>()
  for (const family of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const [help = '', type = '', ...values] = family.split('\n').filter((line) => line !== '')
    const head = `${help}\n${type}`
    families.set(head, [...(families.get(head) ?? []), ...values])
  }
  return [...families].map(([head, values]) => `${[head, ...values].join('\n')}\n`).join('\n')
}

function familyOf(metric: object): Family {
  const { name, labelNames = [] } = metric as {
    readonly name: string
    readonly labelNames?: readonly string[]
  }
  return { name, type: metric.constructor.name.toLowerCase(), labels: [...labelNames] }
}
