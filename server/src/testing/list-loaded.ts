import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Loaded before the program: writes the address of every module that it loads to the file `LOADED_TO`. */
const file = process.env['LOADED_TO']

if (file !== undefined) {
  registerHooks({
    load: (url, context, next) => {
      appendFileSync(file, `${url}\n`)
      return next(url, context)
    },
  })
}
