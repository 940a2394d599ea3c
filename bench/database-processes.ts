import { readFileSync } from 'node:fs'
import { processorSeconds } from '../lab/processes.ts'

const TICKS_PER_SECOND = 100

/** CPU time of a PostgreSQL server so far: its processes now, and those that have ended. */
export function serverSeconds(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  const living = [postmaster, ...children.filter(Boolean).map(Number)].map(secondsIfAlive)
  return living.reduce((sum, seconds) => sum + seconds, endedSeconds(postmaster))
}

function secondsIfAlive(pid: number): number {
  try {
    return processorSeconds(pid)
  } catch {
    return 0
  }
}

/** Of children that have ended, user and system: the 14th and 15th field after the name. */
function endedSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}
