import type { Job } from '#platform/process/jobs.ts'
import { beginDue } from './executions/begin.ts'
import { nextRemovalAt, removeOldFiles } from './executions/remove-old.ts'
import * as executions from './executions/store.ts'
import { type Writing, writeDueFiles } from './executions/write.ts'
import * as reports from './store.ts'

type Needs = Writing & { readonly reportRetentionDays: number }

export const reportJobs: Job<Needs>[] = [
  {
    name: 'begin-reports',
    everyMs: 5_000,
    run: ({ context }, stopping) => beginDue(context, stopping),
    nextDueAt: ({ context }) => reports.nextDueAt(context),
  },
  {
    name: 'write-report-files',
    everyMs: 1_000,
    run: writeDueFiles,
    nextDueAt: ({ context }) => executions.nextDueAt(context),
  },
  {
    name: 'remove-report-files',
    everyMs: 3_600_000,
    run: removeOldFiles,
    nextDueAt: nextRemovalAt,
  },
]
