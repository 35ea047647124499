// The fake node in a process of its own.
import { startStateNode } from './startStateNode.ts'

void startStateNode().then(({ url }) => process.send?.({ url }))
