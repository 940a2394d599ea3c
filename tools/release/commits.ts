import { execFileSync } from 'node:child_process'

export type Commit = {
  /** `feat`, `fix`, … */
  readonly type: string
  /** The folder that it is about, or null. */
  readonly scope: string | null
  readonly subject: string
  /** What callers or operators have to change, or null. */
  readonly breaking: string | null
}

/** Runs git in a folder, and gives what it prints. */
export function git(folder: string, ...args: readonly string[]): string {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, stdio }).trim()
}

/** The newest version tag that the work in this folder is based on. */
export function lastTag(folder: string): string | null {
  const tags = git(folder, 'tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-v:refname').split('\n')
  return tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag)) ?? null
}

/** The commits since a tag, newest first. Merges say nothing of their own. */
export function commitsSince(folder: string, tag: string | null): Commit[] {
  const range = tag === null ? 'HEAD' : `${tag}..HEAD`
  const log = git(folder, 'log', '--no-merges', '--format=%s%x1f%b%x1e', range)
  return log.split('\x1e').flatMap((entry) => {
    const [title = '', body = ''] = entry.trim().split('\x1f')
    return title === '' ? [] : [readCommit(title, body)]
  })
}

/** `feat(payouts)!: pay out to stored cards` */
function readCommit(title: string, body: string): Commit {
  const [, type, scope, mark, subject] = /^(\w+)(?:\(([^)]+)\))?(!)?: (.+)$/.exec(title) ?? []
  const told = /^BREAKING CHANGE: ([\s\S]+?)(?:\n\n|$(?![\s\S]))/m
    .exec(body)?.[1]
    ?.replaceAll('\n', ' ')
    .trim()
  if (type === undefined || subject === undefined) {
    return { type: 'other', scope: null, subject: title, breaking: told ?? null }
  }
  return { type, scope: scope ?? null, subject, breaking: told ?? (mark ? subject : null) }
}
