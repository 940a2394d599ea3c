import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import manifest from '../../../../package.json' with { type: 'json' }

type RequestMeasure = {
  readonly operation: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}

/** Since the start of the process. */
type Counts = () => { readonly written: number; readonly lost: number }

export type Metrics = {
  readonly observeRequest: (measure: RequestMeasure) => void
  readonly countJob: (job: string, outcome: 'succeeded' | 'failed') => void
  /** `because` says why a delivery was given up. */
  readonly countDelivery: (result: 'delivered' | 'failed' | 'parked', because?: string) => void
  readonly observeDeliveryLag: (seconds: number) => void
  /** Shows how far the machine's clock is ahead of the database's. */
  readonly watchClock: (differenceMs: () => number) => void
  /** Asks at each scrape whether requests can be answered. */
  readonly watchReadiness: (isReady: () => Promise<boolean>) => void
  /** How many exchanges with providers were kept, and how many were not. */
  readonly watchExchanges: (counts: Counts) => void
  /** The same for requests in the request log. */
  readonly watchApiLogs: (counts: Counts) => void
  /** The length of the audit chain, as far as this process knows, and whether it refuses to seal more. */
  readonly observeAuditLog: (state: { readonly position: number; readonly isRefused: boolean }) => void
  /** What payment services report about settlements. */
  readonly observeReports: (state: ReportState) => void
  /** Open attempts that no inquiry can resolve any more. */
  readonly observeUnresolvable: (state: { readonly forgotten: number; readonly untold: number }) => void
  /** An attempt at a service that is decided, of a payment or of anything else. */
  readonly countAttempt: (attempt: DecidedAttempt) => void
  /** How long a provider took. */
  readonly observeProvider: (measure: ProviderMeasure) => void
  /** How many connections to the database are used. */
  readonly watchPools: (pools: Readonly<Record<string, PoolState>>) => void
  /** Spans of traces that were sent to the collector, and those that were dropped. */
  readonly watchSpans: (counts: () => { readonly sent: number; readonly dropped: number }) => void
  /** How far the replica is behind, and what it answers. */
  readonly watchReplica: (replica: ReplicaState) => void
  /** The processes of the service, as their parent knows them. */
  readonly watchProcesses: (group: GroupState) => void
  /** Adds what another source measures. It is the same in all processes. */
  readonly include: (source: Pick<Registry, 'metrics' | 'getMetricsAsArray'>) => void
  readonly render: () => Promise<string>
  /** What is measured in this process alone. */
  readonly renderOwn: () => Promise<string>
  /** Our own families, with their labels. */
  readonly families: () => Family[]
  readonly contentType: string
}

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

/** What is measured of the process. Each collector watches it for good, so there is one, also for several services. */
let ofProcess: Registry | undefined

function measureProcess(): Registry {
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

export function createMetrics(member?: Member): Metrics {
  const registry = new Registry()
  const own = ofProcess ?? measureProcess()
  if (member) for (const each of [own, registry]) each.setDefaultLabels({ worker: member.worker })
  const { requests, jobs, deliveries, lag, auditHead, auditRefused, unresolvable } = firstFamilies(registry)
  new Gauge({
    name: 'switchyard_build_info',
    help: 'Always 1, with the version of the program',
    labelNames: ['version'] as const,
    registers: [registry],
  }).set({ version: manifest.version }, 1)
  const included: Pick<Registry, 'metrics' | 'getMetricsAsArray'>[] = []
  const renderOwn = () => textOf([own, registry])
  return {
    observeReports: reportGauges(registry),
    countAttempt: attemptCounter(registry),
    observeProvider: providerHistogram(registry),
    watchPools: (pools) => poolGauges(registry, pools),
    watchSpans: (counts) =>
      watchRows(registry, counts, {
        name: 'switchyard_trace_spans_total',
        help: 'Spans of traces that were sent to the collector, and those that were dropped',
      }),
    watchReplica: (replica) => watchReplica(registry, replica),
    watchProcesses: (group) => watchGroup(registry, group),
    include: (source) => void included.push(source),
    observeUnresolvable: ({ forgotten, untold }) => {
      unresolvable.set({ because: 'forgotten' }, forgotten)
      unresolvable.set({ because: 'untold' }, untold)
    },
    observeAuditLog: ({ position, isRefused }) => {
      auditHead.set(position)
      auditRefused.set(isRefused ? 1 : 0)
    },
    countDelivery: (result, because = '') => deliveries.inc({ result, because }),
    observeDeliveryLag: (seconds) => lag.observe(seconds),
    observeRequest: ({ operation, method, status, seconds }) =>
      requests.observe({ operation, method, status: String(status) }, seconds),
    countJob: (job, outcome) => jobs.inc({ job_name: job, outcome }),
    watchReadiness: (isReady) => {
      new Gauge({
        name: 'switchyard_ready',
        help: '1 when /health/ready is 200; 0 when the database is away, read-only or full, or the process stops',
        registers: [registry],
        async collect() {
          this.set((await isReady()) ? 1 : 0)
        },
      })
    },
    watchClock: (differenceMs) => {
      new Gauge({
        name: 'switchyard_clock_difference_seconds',
        help: "How far this machine's clock is ahead of the database's; negative if it is behind",
        registers: [registry],
        collect() {
          this.set(differenceMs() / 1000)
        },
      })
    },
    watchExchanges: (counts) =>
      watchRows(registry, counts, {
        name: 'switchyard_exchanges_total',
        help: 'Exchanges with providers that were kept for merchants, and those that were lost',
      }),
    watchApiLogs: (counts) =>
      watchRows(registry, counts, {
        name: 'switchyard_api_logs_total',
        help: 'Requests that were written to the request log, and those that were lost',
      }),
    renderOwn,
    render: async () => {
      if (!member?.ofAll) return textOf([own, registry, ...included])
      const [ofAll, shared] = await Promise.all([member.ofAll(), textOf(included)])
      return mergeFamilies([...ofAll, shared])
    },
    families: () => [registry, ...included].flatMap((source) => source.getMetricsAsArray().map(familyOf)),
    contentType: registry.contentType,
  }
}

function firstFamilies(registry: Registry) {
  const requests = new Histogram({
    name: 'switchyard_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['operation', 'method', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'switchyard_job_runs_total',
    help: 'Runs of background jobs',
    labelNames: ['job_name', 'outcome'] as const,
    registers: [registry],
  })
  const deliveries = new Counter({
    name: 'switchyard_webhook_deliveries_total',
    help: 'Attempts to deliver a webhook that succeeded or failed, and deliveries that were given up',
    labelNames: ['result', 'because'] as const,
    registers: [registry],
  })
  const lag = new Histogram({
    name: 'switchyard_webhook_lag_seconds',
    help: 'Time from an event to the first attempt to deliver it',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
    registers: [registry],
  })
  const auditHead = new Gauge({
    name: 'switchyard_audit_head_position',
    help: 'Position of the last link of the audit log that this process made or saw',
    registers: [registry],
  })
  const auditRefused = new Gauge({
    name: 'switchyard_audit_sealing_refused',
    help: '1 when this process no longer seals the audit log, because a link that it knows is missing',
    registers: [registry],
  })
  const unresolvable = new Gauge({
    name: 'switchyard_attempts_unresolvable',
    help: 'Undecided attempts that payment services cannot be asked about any more',
    labelNames: ['because'] as const,
    registers: [registry],
  })
  return { requests, jobs, deliveries, lag, auditHead, auditRefused, unresolvable }
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

/** More services than an installation has in practice. Each costs memory here and in Prometheus. */
const SERVICES_MAX = 200
const CODES_MAX = 100

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

function attemptCounter(registry: Registry): Metrics['countAttempt'] {
  const counter = new Counter({
    name: 'switchyard_attempts_total',
    help: 'Decided attempts at services. Those with act="authorize" are payments.',
    labelNames: ['act', 'service_id', 'outcome', 'code'] as const,
    registers: [registry],
  })
  const [service, code] = [boundedTo(SERVICES_MAX), boundedTo(CODES_MAX)]
  return ({ kind, service_id, state, error_code }) =>
    counter.inc({
      act: kind,
      service_id: service(service_id),
      outcome: state,
      code: code(error_code ?? ''),
    })
}

function providerHistogram(registry: Registry): Metrics['observeProvider'] {
  const histogram = new Histogram({
    name: 'switchyard_provider_duration_seconds',
    help: 'Time that providers took to answer; unknown: no answer in time, or none that could be read',
    labelNames: ['connector', 'act', 'result'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
    registers: [registry],
  })
  return ({ seconds, ...labels }) => histogram.observe(labels, seconds)
}

function poolGauges(registry: Registry, pools: Readonly<Record<string, PoolState>>): void {
  const gauge = (name: string, help: string, read: (pool: PoolState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'] as const,
      registers: [registry],
      collect() {
        for (const [pool, state] of Object.entries(pools)) this.set({ pool }, read(state))
      },
    })
  gauge(
    'switchyard_database_connections_used',
    'Connections to the database that are in use',
    ({ totalCount, idleCount }) => totalCount - idleCount,
  )
  gauge(
    'switchyard_database_connections_max',
    'Connections to the database that this process may open',
    ({ options }) => options.max ?? 0,
  )
  gauge(
    'switchyard_database_connections_waited_for',
    'Requests and jobs that wait for a connection to the database',
    ({ waitingCount }) => waitingCount,
  )
}

/** Rows that are written beside the requests they tell of. */
function watchRows(
  registry: Registry,
  counts: () => Readonly<Record<string, number>>,
  named: { readonly name: string; readonly help: string },
): void {
  new Counter({
    ...named,
    labelNames: ['result'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(counts())) this.inc({ result }, count)
    },
  })
}

function reportGauges(registry: Registry): Metrics['observeReports'] {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
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
  return (state) => {
    failing.set(state.failing)
    refused.set(state.refused)
    abandoned.set(state.abandoned)
    unmatched.set(state.unmatched)
    if (state.ageSeconds !== null) age.set(state.ageSeconds)
  }
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

function watchReplica(registry: Registry, replica: ReplicaState): void {
  new Gauge({
    name: 'switchyard_replica_lag_seconds',
    help: 'How far the replica is behind the primary; missing while that is not known',
    registers: [registry],
    collect() {
      this.remove()
      if (replica.lagMs !== null) this.set(replica.lagMs / 1000)
    },
  })
  new Gauge({
    name: 'switchyard_replica_used',
    help: '1 if lists are read from the replica; 0 if it is away or too far behind',
    registers: [registry],
    collect() {
      this.set(replica.reason === null ? 1 : 0)
    },
  })
  new Counter({
    name: 'switchyard_replica_reads_total',
    help: 'Lists that could be read from the replica, by the server that answered',
    labelNames: ['server'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [server, count] of Object.entries(replica.counts)) this.inc({ server }, count)
    },
  })
}

/** Only the parent of several processes has these. */
function watchGroup(registry: Registry, group: GroupState): void {
  new Gauge({
    name: 'switchyard_processes_running',
    help: 'Processes of this service that are ready',
    registers: [registry],
    collect() {
      this.set(group.running)
    },
  })
  new Counter({
    name: 'switchyard_process_restarts_total',
    help: 'Processes of this service that ended unexpectedly and were started again',
    labelNames: ['ended'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [ended, count] of Object.entries(group.restarts)) this.inc({ ended }, count)
    },
  })
}
