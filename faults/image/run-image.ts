import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardProcess } from '#testing/guard.ts'
import { undoable } from '../../lab/processes.ts'
import type { Image } from './build-image.ts'

const READY_MS = 120_000

type How = {
  /** Takes the place of the image's own. */
  readonly command?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Folders of this machine, by their place in the root. Those of `secrets` cannot be written. */
  readonly data: string
  readonly secrets: string
}

export type Container = {
  readonly output: () => string
  readonly exited: Promise<number | null>
  /** Sends a signal to the first process of the container, as `docker stop` does. */
  readonly stop: () => Promise<number | null>
}

/**
 * Runs the image as the manifests do: its own processes, mounts and user, no capabilities, a root that cannot be
 * written, and a `/proc` that shows processes alone, as the systemd unit has it. The network is that of this machine.
 */
export function runContainer(
  image: Image,
  { command = image.command, env = {}, data, secrets }: How,
): Container {
  const { root, uid, gid } = image
  for (const folder of ['run/secrets', 'proc']) mkdirSync(join(root, folder), { recursive: true })
  const script = `set -e
    mount --make-rprivate /
    mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
    mount --bind "$2" "$1/var/lib/switchyard"
    mount --bind "$3" "$1/run/secrets" && mount -o remount,bind,ro "$1/run/secrets"
    mount -t tmpfs -o size=64m,mode=1777,noexec,nosuid,nodev tmpfs "$1/tmp"
    mount -t proc -o subset=pid,nosuid,nodev,noexec proc "$1/proc"
    root=$1; folder=$4; shift 4
    exec chroot "$root" /usr/bin/setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs \\
      --bounding-set=-all --inh-caps=-all /usr/bin/env --chdir="$folder" "$@"`
  const args = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-c',
    script,
    'sh',
    root,
    data,
    secrets,
    image.folder,
  ]
  const child = spawn('unshare', [...args, ...image.entrypoint, ...command], {
    env: { ...image.env, ...env, PATH: `${image.env['PATH']}:/usr/sbin:/sbin` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return watch(child)
}

function watch(child: ChildProcess): Container {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  const pid = child.pid ?? 0
  child.once('exit', guardProcess(pid))
  const exited = once(child, 'close').then(([code]): number | null => code)
  const kill = undoable(async () => {
    if (child.exitCode === null) child.kill('SIGKILL')
    await exited
  })
  const stop = async () => {
    const first = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    process.kill(Number(first), 'SIGTERM')
    const code = await exited
    await kill()
    return code
  }
  return { output: () => output, exited, stop }
}

/** Runs a command to its end. Fails if it fails. */
export async function runToEnd(image: Image, how: How): Promise<string> {
  const container = runContainer(image, how)
  const code = await container.exited
  if (code !== 0) throw new Error(`${how.command?.join(' ')} ended with ${code}: ${container.output()}`)
  return container.output()
}

export async function untilReady({ exited, output }: Container, url: string): Promise<void> {
  let hasEnded = false
  void exited.then(() => {
    hasEnded = true
  })
  const deadline = performance.now() + READY_MS
  while (!hasEnded && performance.now() < deadline) {
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined)
    await ready?.body?.cancel()
    if (ready?.ok) return
    await sleep(50)
  }
  throw new Error(`the service is not ready: ${output()}`)
}
