import { linkDemos } from './linkDemos.ts'
import { setUpTabs } from './setUpTabs.ts'

setUpTabs()
void linkDemos()
