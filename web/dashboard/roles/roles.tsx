import './roles.css'
import { RoleDetail } from './detail.tsx'
import { ChangeRole, NewRole } from './form.tsx'
import { RoleList } from './list.tsx'

export const pages = { '/': RoleList, '/new': NewRole, '/$id': RoleDetail, '/$id/edit': ChangeRole }
