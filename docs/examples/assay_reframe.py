# assay_reframe.py - a ReFrame test: do the hardware counters of this node count as those of its kind should? Copy it into your checks, or
# import it and derive a class of your own. Run: reframe -c assay_reframe.py -r --distribute=idle (a test on every idle node)
# SPDX-License-Identifier: GPL-3.0-or-later
import os

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import performance_function, run_after, sanity_function, variable


@rfm.simple_test
class AssayHealth(rfm.RunOnlyRegressionTest):
    descr = 'hardware counters count as they should (assay validate --health)'
    valid_systems = ['*']
    valid_prog_environs = ['*']
    num_tasks = 1
    exclusive_access = True
    time_limit = '5m'
    tags = {'maintenance', 'counters'}

    #: the program, in a folder that the nodes share
    assay = variable(str, value=os.environ.get('ASSAY', 'assay'))
    #: the record of a node that counts as all of its kind should; '': the models alone
    reference = variable(str, value=os.environ.get('ASSAY_REFERENCE', ''))
    #: native: a node whose counters do not count fails; virtual tries the test itself
    node = variable(str, value=os.environ.get('ASSAY_NODE', 'native'))

    @run_after('init')
    def set_command(self):
        self.executable = self.assay
        self.executable_opts = ['validate', '--health', '--node', self.node]
        if self.reference:
            self.executable_opts += ['--reference', self.reference]

    @sanity_function
    def is_healthy(self):
        return sn.all([
            sn.assert_eq(self.job.exitcode, 0, msg='assay validate --health ended with status {0}: see its line'),
            sn.assert_found(r'^ok: (native|virtual) node ', self.stdout, msg='no line that begins with "ok:"'),
        ])

    @performance_function('metrics')
    def metrics(self):
        return sn.extractsingle(r'^ok: .*?: (\d+) metrics', self.stdout, 1, int)
