import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { switchyard } from '#testing/command-line.ts'
import { forgetFolder, guardedFolder } from '#testing/guard.ts'
import { removeDataFolder } from '#testing/remove-data-folder.ts'

/** Two embedded databases. */
const [first, second] = [guardedFolder(), guardedFolder()]
const folder = mkdtempSync(join(tmpdir(), 'switchyard-backup-'))
const backup = join(folder, 'switchyard.backup.gz')
afterAll(() => {
  for (const used of [first, second]) {
    removeDataFolder(used)
    forgetFolder(used)
  }
  rmSync(folder, { recursive: true })
})
const at = (dataDir: string, ...args: string[]) => switchyard(args, { DATA_DIR: dataDir })

test('a command makes no installation of its own', async () => {
  const { code, stderr } = await at(join(folder, 'nowhere'), 'users', 'list')

  expect(code).toBe(1)
  expect(stderr).toMatch(/^There is no database in .*nowhere, and DATABASE_URL is not set[.]/)
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
})

test('a backup is restored where its keys are, and nowhere else', async () => {
  await at(first, 'migrate')
  await at(first, 'keys', 'create', '--display-name', 'Kept in the backup', '--role', 'administrator')
  const astray = await at(first, 'backup', join(folder, 'none/x.gz'))
  const made = await at(first, 'backup', backup)
  const copy = (name: string) => copyFileSync(join(first, name), join(second, name))

  const withoutSecret = await at(second, 'restore', backup)
  copy('secret.key')
  const withoutVault = await at(second, 'restore', backup)
  copy('vault.key')
  copy('admin-key.pem')
  const restored = await at(second, 'restore', backup)
  const again = await at(second, 'restore', backup)
  const listed = await at(second, 'keys', 'list')

  expect(astray.stderr).toMatch(/^There is no folder .*none[.] Make it, or name another file[.]$/m)
  expect(made.code, made.stderr).toBe(0)
  expect(withoutSecret.stderr).toMatch(/secret[.]key is missing/)
  expect(withoutVault.stderr).toMatch(/vault[.]key is missing[.] Copy the vault key/)
  expect(restored.code, restored.stderr).toBe(0)
  expect(again.stderr).toMatch(
    /^The database is not empty.* Set DATA_DIR to a new folder .* move .*postgres away[.]$/m,
  )
  expect(listed.stdout).toContain('Kept in the backup')
  expect(existsSync(`${backup}.partial`)).toBe(false)
})

test('import leaves the embedded database alone', async () => {
  expect(await at(second, 'import', backup)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/switchyard restore/),
  })
})
