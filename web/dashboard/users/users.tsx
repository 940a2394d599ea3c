import { UserDetail } from './detail.tsx'
import { UserList } from './list.tsx'

export const pages = { '/': UserList, '/$id': UserDetail }
