import { Counter, Gauge, type Registry } from 'prom-client'

export type ReplicaState = {
  /** Null if it is not known. */
  readonly lagMs: number | null
  /** Why it is not used. */
  readonly reason: string | null
  /** Lists by the server that answered them. */
  readonly counts: Readonly<Record<string, number>>
}

export type GroupState = {
  readonly running: number
  /** By name of the process. */
  readonly restarts: Readonly<Record<string, number>>
}

export function watchReplica(registry: Registry, replica: ReplicaState): void {
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
export function watchGroup(registry: Registry, group: GroupState): void {
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
