"""A real S3 server for s3-store.test.ts: OpenStack Swift with s3api, all of its servers in one process.

    /usr/bin/python3 test-swift.py FOLDER

Prints the port once it listens, and ends when its standard input does, so that it never outlives the test.
"""
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import hubs, wsgi
from swift.common import utils
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

PROXY = """
[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
error_suppression_limit = 1000000
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
force_swift_request_proxy_log = false
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_versioned_writes = true
allow_object_versioning = true
""" + "".join(
    "[filter:%s]\nuse = egg:swift#%s\n" % (name, name)
    for name in "catch_errors gatekeeper listing_formats bulk copy slo dlo symlink".split()
)


class MemoryCache:
    """In place of the memcached that the middleware asks for."""

    def __init__(self):
        self.values = {}

    def get(self, key, *_, **__):
        return self.values.get(key)

    def set(self, key, value, *_, **__):
        self.values[key] = value

    def delete(self, key, *_, **__):
        self.values.pop(key, None)

    def incr(self, key, delta=1, *_, **__):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]


def main(folder):
    os.makedirs(os.path.join(folder, "devices", "disk"))
    write(folder, "swift.conf", "[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = one\ndefault = yes\n")
    write(folder, "proxy.conf", PROXY.format(folder=folder))
    utils.set_swift_dir(folder)

    from swift.account.server import AccountController
    from swift.container.server import ContainerController
    from swift.obj.server import ObjectController

    settings = {
        "devices": os.path.join(folder, "devices"),
        "swift_dir": folder,
        "mount_check": "false",
        "disable_fallocate": "true",
    }
    controllers = {"account": AccountController, "container": ContainerController, "object": ObjectController}
    for name, controller in controllers.items():
        socket = eventlet.listen(("127.0.0.1", 0))
        make_ring(folder, name, socket.getsockname()[1])
        serve(socket, controller(settings))

    app = loadapp(os.path.join(folder, "proxy.conf"), global_conf={"log_name": "swift"})
    cache = MemoryCache()

    def with_cache(environ, start_response):
        environ["swift.cache"] = cache
        return app(environ, start_response)

    socket = eventlet.listen(("127.0.0.1", 0))
    serve(socket, with_cache)
    print("listening on %d" % socket.getsockname()[1], flush=True)
    hubs.trampoline(sys.stdin.fileno(), read=True)


def serve(socket, app):
    eventlet.spawn(wsgi.server, socket, app, log_output=False)


def make_ring(folder, name, port):
    builder = RingBuilder(2, 1, 0)
    address = {"ip": "127.0.0.1", "port": port, "replication_ip": "127.0.0.1", "replication_port": port}
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1.0, "device": "disk", "meta": "", **address})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + ".ring.gz"))


def write(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


main(sys.argv[1])
