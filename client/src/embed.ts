import { type Bound, bind } from './bind.ts'
import { connect, type Settings } from './connect.ts'
import { EMBED } from './generated/embed.ts'

/** The operations that a page may call, with a token of the scope `embed` or with none. */
export type EmbedClient = Bound<typeof EMBED>

/** A client for a page. Its `token` is one that your server has signed, or a function that fetches it from there. */
export function createEmbedClient(settings: Settings): EmbedClient {
  return bind(connect(settings), EMBED)
}
