import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../app.ts'
import { emptyDatabase, switchyard } from '../testing/command-line.ts'
import { urlOf } from '../testing/database-url.ts'

test('prints what it applied, and the second time finds nothing to do', async () => {
  const env = { DATA_DIR: tmpdir(), DATABASE_URL: urlOf(await emptyDatabase()) }

  const first = await switchyard(['migrate'], env)
  const second = await switchyard(['migrate'], env)

  const versions = MIGRATIONS.flatMap((folder) => readdirSync(folder).sort((a, b) => (a < b ? -1 : 1))).map(
    (name) => name.replace('.sql', ''),
  )
  expect(first).toMatchObject({ code: 0, stdout: `${versions.join('\n')}\n` })
  expect(second).toEqual({ code: 0, stdout: '', stderr: 'Nothing to do: the database is up to date.\n' })
})

test('says so when the database cannot be reached', async () => {
  const env = { DATA_DIR: tmpdir(), DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }

  const { code, stdout, stderr } = await switchyard(['migrate'], env)

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The database cannot be reached.')
  expect(stderr).toContain('because: connect ECONNREFUSED 127.0.0.1:1')
})
