/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_NET_UDP_TUNNEL_H
#define COMPAT_NET_UDP_TUNNEL_H

#include_next <net/udp_tunnel.h>

#ifndef HAVE_UDP_TUNNEL_SOCK_SK
static inline void compat_setup_udp_tunnel_sock(struct net *net, struct sock *sk,
						struct udp_tunnel_sock_cfg *cfg)
{
	setup_udp_tunnel_sock(net, sk->sk_socket, cfg);
}

static inline void compat_udp_tunnel_sock_release(struct sock *sk)
{
	udp_tunnel_sock_release(sk->sk_socket);
}

#define setup_udp_tunnel_sock compat_setup_udp_tunnel_sock
#define udp_tunnel_sock_release compat_udp_tunnel_sock_release
#endif

#endif /* COMPAT_NET_UDP_TUNNEL_H */
