const { use } = require('./use.cjs');

use(require('parcelworks'));
