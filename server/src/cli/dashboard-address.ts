import { type Config, PORT_DEFAULT } from '../config.ts'
import { localUrl } from '../who-listens.ts'

/** Where the service of this configuration is found. A command cannot know which port it took if none is set. */
export function addressOf({ publicUrl, host, port }: Config): string {
  return publicUrl ?? localUrl({ host, port: port ?? PORT_DEFAULT })
}
